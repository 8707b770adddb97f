"""The command that makes, lists and removes the tokens of programs."""

from dataclasses import asdict
from typing import Annotated

import typer

from core.cli import output
from core.cli.options import JsonOption

_COLUMNS = ("token_id", "name", "created_at")


def token_command(
    name: Annotated[
        str | None, typer.Argument(help="Who it is for: an e-mail address, or any name.")
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="ID", help="Remove a token.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token by which a person's programs may ask over HTTP; without NAME list them.

    It is shown once. Each name has chats and limits of its own. The first token opens `/api/v1`.
    """
    if name is not None and remove is not None:
        raise typer.BadParameter("Give a NAME to make a token, or --remove one.")
    with output.command_context(as_json) as settings:
        from core.chats import Tokens

        tokens = Tokens(settings.conversations_url)
        if remove is not None:
            token = tokens.remove_token(remove)
            output.print_result(asdict(token), as_json, f"Removed the token of {token.name}.")
        elif name is not None:
            secret = tokens.make(name)
            output.print_result({"name": name, "token": secret}, as_json, secret)
        else:
            output.print_results(map(asdict, tokens.list_tokens()), as_json, _COLUMNS)
