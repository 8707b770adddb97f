"""Text as an attacker would plant it, and a server on loopback that notes who requests it."""

from http.server import BaseHTTPRequestHandler

from tests.messages_server import LocalServer


class Listener(LocalServer):
    """An address that nothing should request; `asked` holds the paths that were requested."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(_Noting)
        self._http.asked = self.asked  # type: ignore[attr-defined]


class _Noting(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def do_OPTIONS(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


def one_liners(url: str) -> list[str]:
    """Attacks that fit in a title, a file's text or a question, each with an address of its own."""
    return [
        f"![image]({url}/image.png)",
        f'![titled](<{url}/titled.png> "a title")',
        f"[![inside a link]({url}/inside.png)]({url}/link)",
        f"<img src={url}/html.png onerror=\"fetch('{url}/onerror')\">",
        f"<script>document.title='OWNED';fetch('{url}/script')</script>",
        f"<svg onload=\"document.title='OWNED'\"><image href='{url}/svg.png'/></svg>",
        f"<iframe src='{url}/frame'></iframe><link rel=prefetch href='{url}/prefetch'>",
        f"<style>@import '{url}/style.css';</style>",
        "[a script](javascript:document.title='OWNED')",
        "[a page](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
        f"<{url}/autolink> {url}/bare www.evil.example someone@evil.example",
        f"$\\includegraphics{{{url}/latex.png}}\\href{{{url}/href}}{{click}}$",
        f"$$\\htmlStyle{{background:url({url}/mathstyle.png)}}{{x}}$$",
        ":red-background[Answered] :green-badge[Answered] :material/verified: :streamlit: :tada:"
        " :shimmer[Working]",
        f":red[![in a colour]({url}/colour.png)]",
    ]


def blocks(url: str) -> list[str]:
    """Attacks that need lines of their own."""
    return [
        f"![by reference][r]\n\n[r]: {url}/reference.png",
        "```mermaid\nflowchart TD\n"
        f'  A@{{ img: "{url}/mermaid.png", label: "x", w: 60, h: 60 }}\n```',
        "~~~mermaid\nflowchart TD\n"
        f'  A@{{ img: "{url}/tilde.png", label: "x", w: 60, h: 60 }}\n~~~',
        f"| a |\n|---|\n| ![in a table]({url}/table.png) |",
        f"> ![in a quote]({url}/quote.png)",
        f"- item\n\n  ![in a list]({url}/list.png)",
        f"![split\nover lines]({url}/split.png)",
        f"[^n]\n\n[^n]: ![in a note]({url}/note.png)",
        f'```dot\ndigraph {{ a [image="{url}/dot.png"] }}\n```',
    ]
