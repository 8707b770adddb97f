"""From what is read to numbered clauses: headings, the clause tree, references, terms and sanctions."""
