"""The `llm:` judge: a language model, asked over an API."""
