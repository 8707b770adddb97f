"""KEEP and FIND: documents and their clauses in LanceDB, and every way to look them up. LanceDB lives here only."""
