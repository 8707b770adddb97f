"""Ingestion of files: in the caller's thread, or by workers from a queue on disk."""
