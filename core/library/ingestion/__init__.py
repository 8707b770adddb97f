"""How files come in: one after another from a queue on disk, or all at once."""
