"""What other rooms may use of `core.api`."""

from .requests import (
    ArticleRequest as ArticleRequest,
    AskRequest as AskRequest,
    CompareRequest as CompareRequest,
    LimitsRequest as LimitsRequest,
    MentionsRequest as MentionsRequest,
    SearchRequest as SearchRequest,
    answer_line as answer_line,
)
from .service import (
    API_PATH as API_PATH,
    TokenMiddleware as TokenMiddleware,
    caller_of as caller_of,
    make_api as make_api,
)
from .shared import Shared as Shared, SharedLoader as SharedLoader
