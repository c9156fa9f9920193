# Pincite with its judge, for machines without a network: nothing is fetched when it runs.
#
#   docker build -t pincite .
#   docker run --rm --network none -v "$PWD:/work" pincite check answers/ --sources docs/
FROM python:3.12-slim AS build

WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# A wheel first, so that the image holds what a release holds, and none of the tools that made it.
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && python -m venv /opt/pincite \
    && /opt/pincite/bin/python -m pip install --no-cache-dir --no-compile /wheels/*.whl \
    && /opt/pincite/bin/python -m pip uninstall --yes pip

FROM python:3.12-slim

LABEL org.opencontainers.image.title="pincite" \
      org.opencontainers.image.description="Checks the citations in AI answers the way a linter checks code." \
      org.opencontainers.image.licenses="Apache-2.0 AND CC-BY-SA-3.0"

COPY --from=build /opt/pincite /opt/pincite

# A number, so that a cluster that forbids root can tell; the folder of a user who has no other one.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /home/pincite --shell /usr/sbin/nologin pincite \
    && install -d -o 10001 -g 10001 /home/pincite /work

ENV PATH=/opt/pincite/bin:$PATH \
    HOME=/home/pincite \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1

USER 10001:10001
WORKDIR /work

ENTRYPOINT ["pincite"]
CMD ["--help"]
