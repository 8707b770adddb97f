"""KEEP: documents and clauses as tables of LanceDB, and the files beside them."""
