"""The exceptions of Scrutineer: every one carries a sentence that may be shown to a person as it stands.

ScrutineerError            what happened, and what to do
├── SettingsError          a missing key, an unknown model, a bad value; never retried
├── ReadError              a file could not be read as a rulebook; names the file and the reason
├── LibraryError           the library is missing, locked, of another version, or does not hold what was asked for
├── ToolError              told to the model as an `is_error` result
└── ModelError             no usable reply from a model; fails its iteration, and the loop plans anew
"""


class ScrutineerError(Exception):
    """A failure with a `message` for a person and a short, stable `code` for programs."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class SettingsError(ScrutineerError):
    code = "settings"


class ReadError(ScrutineerError):
    """Codes: `not_found`, `not_pdf`, `empty`, `encrypted`, `wrong_password`, `damaged`, `no_text`, `no_clauses`,
    `bad_line`."""

    code = "damaged"


class LibraryError(ScrutineerError):
    """Codes: `unknown_document`, `unknown_run`, `empty_query`, `unreadable`, `damaged`, `version`, `locked`, `vectors`,
    `embedding`, `chats`, `limit`, `missing`, `exists`, `archive`."""

    code = "library"


class ToolError(ScrutineerError):
    """A tool could not do what it was called for; `passing` where the same call may succeed a moment later."""

    code = "tool"

    def __init__(self, message: str, *, code: str | None = None, passing: bool = False) -> None:
        super().__init__(message, code=code)
        self.passing = passing


class ModelError(ScrutineerError):
    """Codes: `unreachable`, `overloaded`, `refused`, `truncated`, `malformed`, `rejected`; fatal ones end the run."""

    code = "model"

    def __init__(self, message: str, *, code: str | None = None, fatal: bool = False) -> None:
        super().__init__(message, code=code)
        self.fatal = fatal
        self.usage: object = None
        """What the failed call cost all the same (`core.agent.types.Usage`), where the model knows it."""
