"""Find the structure of a document: headings, sections, clauses, references and terms."""
