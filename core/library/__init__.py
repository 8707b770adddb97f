"""KEEP and FIND: documents and clauses in LanceDB, their search and comparison."""

from core.library.article_path import article_steps, descendants_of
from core.library.comparison.compare import compare, describe_marks
from core.library.ingestion.edition_order import edition_status
from core.library.ingestion.ingest import add_file, expand_paths
from core.library.ingestion.upload_queue import IngestWorker, UploadJob, UploadQueue
from core.library.integrity import IntegrityFinding, check_library
from core.library.retrieval.definitions import OMISSION_MARK, find_definitions
from core.library.retrieval.query_expansion import (
    STOP_WORDS,
    expand_query,
    find_synonym_phrases,
    synonyms_of,
)
from core.library.retrieval.query_filters import find_series, parse_query_filters
from core.library.retrieval.references import ResolvedReference, resolve_references
from core.library.retrieval.search import article, find_clause, find_outside_scope, mentions, search
from core.library.scope import (
    resolve_question_scope,
    resolve_scope,
    resolve_search_scope,
    restrict_to_series,
)
from core.library.storage.cleanup import LOCK_FILE, remove_partial_restores
from core.library.storage.library import Library, open_library
from core.library.storage.schema import document_from_json, document_to_json
from core.library.storage.vectors import count_missing_vectors, embed_clauses
from core.library.types import (
    ID_PREFIX_LENGTH,
    ArticleLookup,
    ClausePair,
    DiffSegment,
    Document,
    Hit,
    HitReason,
    IngestResult,
    MarkStatus,
    PairKind,
    Scope,
    ScopeChoice,
    SearchMode,
    SegmentKind,
)
