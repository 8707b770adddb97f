"""What other rooms may use of `core.api`."""

from .json_api import (
    ArticleRequest as ArticleRequest,
    JsonObject as JsonObject,
    MentionsRequest as MentionsRequest,
    QueryText as QueryText,
    SearchRequest as SearchRequest,
    answer_line as answer_line,
    correction_json as correction_json,
    document_json as document_json,
    export_row as export_row,
    impact_json as impact_json,
    ingest_result_json as ingest_result_json,
    parse_request as parse_request,
    passage_row as passage_row,
)
from .openapi import describe_api as describe_api
from .questions import AskRequest as AskRequest, adjust_budget as adjust_budget
from .requests import CompareRequest as CompareRequest
from .service import (
    API_PATH as API_PATH,
    TokenMiddleware as TokenMiddleware,
    caller_of as caller_of,
    make_api as make_api,
)
from .shared import Shared as Shared, SharedLoader as SharedLoader, make_shared as make_shared
