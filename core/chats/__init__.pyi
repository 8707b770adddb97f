"""What other rooms may use of `core.chats`."""

from .active_runs import ActiveRun as ActiveRun, ActiveRuns as ActiveRuns
from .conversations import (
    Conversations as Conversations,
    SharedChat as SharedChat,
    new_conversation_id as new_conversation_id,
)
from .database import Database as Database
from .queries import (
    CitingRun as CitingRun,
    Clearance as Clearance,
    Conversation as Conversation,
    RunState as RunState,
    RunSummary as RunSummary,
    SavedRun as SavedRun,
    conversation_title as conversation_title,
)
from .quota import (
    MAX_CHOSEN_ITERATIONS as MAX_CHOSEN_ITERATIONS,
    Quota as Quota,
    choose_budget as choose_budget,
    clamp_iterations as clamp_iterations,
    mode_of as mode_of,
    quota_from_settings as quota_from_settings,
)
from .recovery import CUT_OFF_MESSAGE as CUT_OFF_MESSAGE, STOPPED_MESSAGE as STOPPED_MESSAGE
from .report_files import (
    ChatFile as ChatFile,
    ReportPart as ReportPart,
    compose_report as compose_report,
    list_chat_files as list_chat_files,
    write_pdf as write_pdf,
    write_word as write_word,
)
from .run_list import (
    ORDERS as ORDERS,
    RunFilter as RunFilter,
    RunOrder as RunOrder,
    list_run_facts as list_run_facts,
    runs_csv as runs_csv,
    sort_runs as sort_runs,
)
from .run_requests import (
    QuestionFiles as QuestionFiles,
    begin_question as begin_question,
    resume_run as resume_run,
)
from .tab_address import TabAddress as TabAddress
from .tokens import Token as Token, Tokens as Tokens, may_enter as may_enter
