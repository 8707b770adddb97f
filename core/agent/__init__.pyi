"""What other rooms may use of `core.agent`."""

from . import events as events
from .answer_view import (
    AnswerBlock as AnswerBlock,
    AnswerView as AnswerView,
    Headline as Headline,
    find_shortfall as find_shortfall,
    split_blocks as split_blocks,
    view_answer as view_answer,
)
from .budget import limits_of as limits_of
from .endings import (
    DISCARDED_MESSAGE as DISCARDED_MESSAGE,
    build_ended_event as build_ended_event,
    describe_references as describe_references,
    group_unread as group_unread,
)
from .events import (
    Asked as Asked,
    DraftGrew as DraftGrew,
    Ended as Ended,
    Event as Event,
    from_json as from_json,
    to_json as to_json,
)
from .evidence import Evidence as Evidence, cite as cite
from .loop import (
    MAX_QUESTION_LENGTH as MAX_QUESTION_LENGTH,
    RESUMABLE_OUTCOMES as RESUMABLE_OUTCOMES,
    Agent as Agent,
    Request as Request,
    latest_scope as latest_scope,
)
from .markdown import (
    format_compliance as format_compliance,
    keep_item_numbers as keep_item_numbers,
)
from .models.base import Model as Model
from .models.connection_test import check_connection as check_connection
from .models.factory import make_model as make_model
from .panels import (
    drop_replaced_drafts as drop_replaced_drafts,
    join_fragments as join_fragments,
    split_panels as split_panels,
)
from .refusal import (
    AbsentArticle as AbsentArticle,
    Refusal as Refusal,
    explain_refusal as explain_refusal,
)
from .run import Run as Run
from .starter_questions import (
    question_about_clause as question_about_clause,
    suggest_questions as suggest_questions,
)
from .tools.toolbox import TOOLS as TOOLS, Toolbox as Toolbox
from .types import (
    Citation as Citation,
    ComplianceRow as ComplianceRow,
    Decision as Decision,
    DecisionKind as DecisionKind,
    DraftCheck as DraftCheck,
    Mode as Mode,
    Outcome as Outcome,
    PenaltyRow as PenaltyRow,
    RunLimits as RunLimits,
    Score as Score,
    Source as Source,
    Turn as Turn,
    source_from_hit as source_from_hit,
)
from .verification.draft_checks import (
    contains_parts as contains_parts,
    contains_words as contains_words,
    normalize_text as normalize_text,
    verify as verify,
)
