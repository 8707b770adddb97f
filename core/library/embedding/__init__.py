"""Embedding models, through LanceDB's registry. Stores no vector."""
