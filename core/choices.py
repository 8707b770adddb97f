"""The words that requests and replies choose from, and how short an id may be; no room is read."""

from typing import Literal

Mode = Literal["quick", "standard", "deep"]
SearchMode = Literal["lexical", "dense", "hybrid"]
HitReason = Literal["exact", "words", "vector", "reference", "definition", "topic"]
PairKind = Literal["unchanged", "changed", "added", "removed", "renumbered", "moved"]
PairPlace = Literal["same", "renumbered", "moved", "added", "removed"]
PairWording = Literal["same", "changed"]
Declaration = Literal["found", "undeclared", "not_found"]
RelationKind = Literal["supplements", "amends", "replaces", "interprets"]
LinkState = Literal["found", "missing", "ambiguous", "elsewhere"]
"""Of an article that a ruling names. `missing`: no such article in what is interpreted;
`ambiguous`: in several of these rulebooks; `elsewhere`: an article of another text."""
Prevailing = Literal["this", "other", ""]
ExportFormat = Literal["csv", "xlsx", "jsonl", "reqif", "oscal", "akn"]
RedlineFormat = Literal["docx", "pdf"]
ID_PREFIX_LENGTH = 8
"""Characters of a document id that identify the document."""
