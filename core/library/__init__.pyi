"""What other rooms may use of `core.library`."""

from .article_path import (
    article_steps as article_steps,
    is_at_or_below as is_at_or_below,
)
from .comparison.compare import compare_documents as compare_documents
from .comparison.comparison_text import (
    ComparisonText as ComparisonText,
    PairFilter as PairFilter,
)
from .comparison.word_diff import diff_texts as diff_texts
from .edition_order import Editions as Editions
from .editions import find_unassigned as find_unassigned
from .embedding.e5 import match_words as match_words
from .ingestion.bulk import add_in_bulk as add_in_bulk
from .ingestion.ingest import (
    add_file as add_file,
    add_sample_rulebooks as add_sample_rulebooks,
    correct_lines as correct_lines,
    expand_paths as expand_paths,
)
from .ingestion.ingest_worker import IngestWorker as IngestWorker
from .ingestion.upload_queue import (
    UploadJob as UploadJob,
    UploadQueue as UploadQueue,
)
from .integrity import IntegrityFinding as IntegrityFinding, check_library as check_library
from .layer_proposals import LayerProposal as LayerProposal, propose_layers as propose_layers
from .layers import Layer as Layer, Layers as Layers
from .library_text import LibraryText as LibraryText
from .lineage.clause_history import ClauseHistory as ClauseHistory, HistoryEntry as HistoryEntry
from .lineage.lineage import Lineage as Lineage
from .lineage.records import (
    read_lineage as read_lineage,
)
from .outline import (
    Outline as Outline,
    has_words as has_words,
)
from .retrieval.definitions import (
    TermDefinition as TermDefinition,
    find_term_definitions as find_term_definitions,
)
from .retrieval.query_expansion import (
    MIN_COVERAGE as MIN_COVERAGE,
    MIN_SAME as MIN_SAME,
    content_words as content_words,
    coverage as coverage,
    held_stems as held_stems,
    query_stems as query_stems,
    synonyms_of as synonyms_of,
)
from .retrieval.query_filters import (
    find_families as find_families,
    find_missing_editions as find_missing_editions,
    find_missing_series as find_missing_series,
    parse_query_filters as parse_query_filters,
)
from .retrieval.references import (
    OMISSION_MARK as OMISSION_MARK,
    ResolvedReference as ResolvedReference,
    find_definitions as find_definitions,
    find_referring_by_number as find_referring_by_number,
    find_referring_clauses as find_referring_clauses,
    list_referring_clauses as list_referring_clauses,
    resolve_references as resolve_references,
)
from .retrieval.search import (
    article as article,
    cut_to_part as cut_to_part,
    find_clauses as find_clauses,
    find_named_articles as find_named_articles,
    find_outside_scope as find_outside_scope,
    mentions as mentions,
    search as search,
)
from .retrieval.word_counts import (
    DOCUMENT_WORDS as DOCUMENT_WORDS,
    count_words as count_words,
)
from .rule_address import RuleAddress as RuleAddress
from .rulings import Rulings as Rulings
from .scope import (
    RestrictedLibrary as RestrictedLibrary,
    resolve_scope as resolve_scope,
)
from .storage.derived import (
    DerivedKind as DerivedKind,
    complete_derived_values as complete_derived_values,
    describe_derived_values as describe_derived_values,
)
from .storage.document_list import obtain_document_rows as obtain_document_rows
from .storage.library import (
    Library as Library,
)
from .storage.places import (
    LibraryPlace as LibraryPlace,
)
from .storage.vectors import (
    DocumentMeanings as DocumentMeanings,
    count_missing_vectors as count_missing_vectors,
    embed_clauses as embed_clauses,
    find_search_mode as find_search_mode,
)
from .types import (
    ClausePair as ClausePair,
    Document as Document,
    Hit as Hit,
    IngestResult as IngestResult,
    Relation as Relation,
    Scope as Scope,
    ScopeChoice as ScopeChoice,
)
