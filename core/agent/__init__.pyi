"""What other rooms may use of `core.agent`."""

from . import events as events
from .budget import budget_of as budget_of
from .endings import (
    build_ended_event as build_ended_event,
    describe_missing_definition as describe_missing_definition,
)
from .events import (
    Ended as Ended,
    Event as Event,
    from_json as from_json,
)
from .loop import (
    MAX_QUESTION_LENGTH as MAX_QUESTION_LENGTH,
    RESUMABLE_OUTCOMES as RESUMABLE_OUTCOMES,
    Agent as Agent,
    Request as Request,
    latest_scope as latest_scope,
)
from .models.base import Model as Model
from .models.connection_test import check_connection as check_connection
from .models.factory import make_model as make_model
from .question import (
    Question as Question,
    read_question as read_question,
    select_near as select_near,
)
from .run import Run as Run
from .tools.toolbox import TOOLS as TOOLS, Toolbox as Toolbox
from .types import (
    Decision as Decision,
    DecisionKind as DecisionKind,
    Outcome as Outcome,
    RunBudget as RunBudget,
    Turn as Turn,
)
