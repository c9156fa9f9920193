"""Drafts a dataset from documents: sentences worth asking about, questions and exact spans."""
