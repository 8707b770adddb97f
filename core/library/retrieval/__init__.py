"""FIND: clauses by number, words, meaning, mention and reference, within a scope."""
