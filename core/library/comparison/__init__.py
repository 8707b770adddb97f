"""Compare two documents: align their clauses and find the differences word by word."""
