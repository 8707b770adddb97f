"""What other rooms may use of `core.chats`."""

from .conversations import Conversations as Conversations
from .database import Database as Database
from .queries import (
    CitingRun as CitingRun,
    Clearance as Clearance,
    Conversation as Conversation,
    RunSummary as RunSummary,
    SavedRun as SavedRun,
    conversation_title as conversation_title,
)
from .quota import Quota as Quota, quota_from_settings as quota_from_settings
from .tokens import Token as Token, Tokens as Tokens, may_enter as may_enter
