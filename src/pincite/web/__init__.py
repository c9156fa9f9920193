"""Pages over a history, served on this machine. Needs the extra `pincite[web]`; only a command imports it."""
