"""Storage: documents and clauses in LanceDB tables, and the files they were read from."""
