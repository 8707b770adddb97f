"""What other rooms may use of `core.chats`."""

from .active_runs import ActiveRun as ActiveRun, ActiveRuns as ActiveRuns
from .conversations import Conversations as Conversations
from .database import Database as Database
from .deliveries import Deliveries as Deliveries
from .queries import (
    Conversation as Conversation,
    RunState as RunState,
    RunSummary as RunSummary,
    SavedRun as SavedRun,
)
from .quota import (
    MAX_CHOSEN_ITERATIONS as MAX_CHOSEN_ITERATIONS,
    Quota as Quota,
    choose_budget as choose_budget,
)
from .report_files import (
    compose_report as compose_report,
    list_chat_files as list_chat_files,
)
from .run_list import (
    ORDERS as ORDERS,
    choose_runs as choose_runs,
    list_run_facts as list_run_facts,
    runs_csv as runs_csv,
)
from .run_requests import begin_question as begin_question, resume_run as resume_run
from .tab_address import TabAddress as TabAddress
from .tokens import Token as Token, Tokens as Tokens, may_enter as may_enter
