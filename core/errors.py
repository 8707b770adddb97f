"""The exceptions of Scrutineer. Each carries a sentence that may be shown to a person as it is.

ScrutineerError            what happened, and what to do
├── SettingsError          a missing key, an unknown model, a bad value; never retried
├── ReadError              a file could not be read as a rulebook; names the file and the reason
├── SheetError             a sheet of values could not be read or written
├── LibraryError           the library is missing, locked, of another version, or lacks an item
├── ToolError              returned to the model as an `is_error` result
└── ModelError             no usable reply from a model; fails its iteration, the loop plans anew
"""


class ScrutineerError(Exception):
    """A failure with a `message` for a person and a short, stable `code` for programs."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code

    @property
    def as_json(self) -> dict[str, dict[str, str]]:
        """The error as every command prints it with `--json`."""
        return {"error": {"code": self.code, "message": self.message}}


class SettingsError(ScrutineerError):
    code = "settings"


class ReadError(ScrutineerError):
    """Codes: `not_found`, `not_pdf`, `not_word`, `empty`, `encrypted`, `wrong_password`, `damaged`,
    `macros`, `external`, `no_text`, `no_clauses`, `no_rulings`,
    `maybe_rulings`, `bad_line`.
    """

    code = "damaged"


class SheetError(ScrutineerError):
    """Codes: `too_large`, `damaged`, `encoding`, `columns`, `empty`, `twice`, `unwritable`,
    `unknown_sheet`.
    """

    code = "damaged"


class LibraryError(ScrutineerError):
    """Codes: `unknown_document`, `unknown_run`, `empty_query`, `unreadable`, `damaged`, `version`,
    `locked`, `vectors`, `embedding`, `chats`, `limit`, `missing`, `exists`, `archive`,
    `unknown_token`, `relation`.
    """

    code = "library"

    @property
    def is_of_question(self) -> bool:
        """True for what another question would not meet; else the library itself failed."""
        return self.code in ("unknown_document", "empty_query")


class ToolError(ScrutineerError):
    """A tool failed; `passing` if the same call may succeed a moment later.

    A fatal error is no fault of the call, and ends the run: nothing was looked up.
    """

    code = "tool"

    def __init__(
        self, message: str, *, code: str | None = None, passing: bool = False, fatal: bool = False
    ) -> None:
        super().__init__(message, code=code)
        self.passing = passing
        self.fatal = fatal


class ModelError(ScrutineerError):
    """Codes: `unreachable`, `overloaded`, `refused`, `truncated`, `malformed`, `rejected`, `empty`,
    `context`.

    A fatal error ends the run. `usage` is the cost of the failed call (`core.model_calls.Usage`),
    where the model knows it.
    """

    code = "model"

    def __init__(self, message: str, *, code: str | None = None, fatal: bool = False) -> None:
        super().__init__(message, code=code)
        self.fatal = fatal
        self.usage: object = None
