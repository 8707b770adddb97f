"""What other rooms may use of `core.model_calls`."""

from .messages_api import MessagesApi as MessagesApi
from .prices import UsageMeter as UsageMeter
from .replies import RetryableError as RetryableError
from .types import Block as Block, ToolCall as ToolCall, ToolSpec as ToolSpec, Usage as Usage
