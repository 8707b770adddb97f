"""What other rooms may use of `core.agent`."""

from . import events as events
from .budget import budget_of as budget_of
from .endings import (
    DISCARDED_MESSAGE as DISCARDED_MESSAGE,
    build_ended_event as build_ended_event,
    describe_missing_definition as describe_missing_definition,
    describe_references as describe_references,
)
from .events import (
    Asked as Asked,
    DraftGrew as DraftGrew,
    Ended as Ended,
    Event as Event,
    from_json as from_json,
    to_json as to_json,
)
from .loop import (
    DRAFT_OUTCOMES as DRAFT_OUTCOMES,
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
from .near_clauses import select_near as select_near
from .question import (
    SIDES as SIDES,
    Question as Question,
    find_amount_kinds as find_amount_kinds,
    find_how as find_how,
    find_wanted_side as find_wanted_side,
    is_opposite as is_opposite,
    read_question as read_question,
)
from .run import Run as Run
from .tools.toolbox import TOOLS as TOOLS, Toolbox as Toolbox
from .types import (
    Decision as Decision,
    DecisionKind as DecisionKind,
    Mode as Mode,
    Outcome as Outcome,
    RunBudget as RunBudget,
    Turn as Turn,
)
