"""The server that the tests of language models talk to speaks what the official SDKs understand."""

from __future__ import annotations

import json
import urllib.request

from llm_server import LlmServer, says

ASK = [{"role": "user", "content": "Is it?"}]


def test_the_official_openai_sdk_reads_its_answers_and_streams() -> None:
    import openai

    with LlmServer("It is, I think.") as server, openai.OpenAI(api_key="k", base_url=server.url) as client:
        whole = client.chat.completions.create(model="m", messages=ASK)
        assert whole.choices[0].message.content == "It is, I think."
        assert whole.usage is not None and whole.usage.completion_tokens == 4
        parts = client.chat.completions.create(model="m", messages=ASK, stream=True)
        assert "".join(part.choices[0].delta.content or "" for part in parts) == "It is, I think."
    assert [seen.path for seen in server.seen] == ["/v1/chat/completions"] * 2
    assert server.seen[0].headers["authorization"] == "Bearer k"


def test_the_official_anthropic_sdk_reads_its_answers_and_streams() -> None:
    import anthropic

    server = LlmServer("It is, I think.")
    with server, anthropic.Anthropic(api_key="k", base_url=server.root) as client:
        whole = client.messages.create(model="m", max_tokens=9, messages=ASK)
        assert whole.content[0].text == "It is, I think."
        with client.messages.stream(model="m", max_tokens=9, messages=ASK) as parts:
            assert parts.get_final_text() == "It is, I think."
    assert server.seen[1].body["stream"] is True


def test_it_asks_the_test_how_to_behave_and_counts() -> None:
    with LlmServer(lambda request, nth: says(f"{request['model']} {nth}")) as server:
        for nth in range(3):
            data = json.dumps({"model": "m"}).encode()
            with urllib.request.urlopen(f"{server.url}/chat/completions", data) as answer:
                said = json.loads(answer.read())["choices"][0]["message"]["content"]
            assert said == f"m {nth}"
    assert len(server.seen) == 3 and server.most_at_once == 1
