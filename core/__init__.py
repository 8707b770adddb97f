"""Scrutineer's core: read rulebooks, keep and find their clauses, think about questions. No user interface in here."""
