"""REMEMBER: conversations and runs in SQL, event by event, with the limits of each person."""

from core.chats.conversations import Conversations
from core.chats.database import Database
from core.chats.queries import Conversation, RunSummary, SavedRun, conversation_title
from core.chats.quota import quota_from_settings
