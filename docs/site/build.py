"""Build the documentation site: `make site`, or `python -m docs.site.build [REPOSITORY]`.

The pages of docs/, THREATS.md and CHANGELOG.md and the reference are brought together below
build/pages and made into build/site by Zensical, in strict mode. Then every link of the built
pages is followed, and nothing in them may be fetched from elsewhere. REPOSITORY is the address
below which files of the repository are shown; without it such links are plain text.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.site.reference import write_reference

HERE = Path(__file__).parent
DOCS, ROOT = HERE.parent, HERE.parents[1]
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
ELSEWHERE = {ROOT / "THREATS.md": "threats.md", ROOT / "CHANGELOG.md": "changelog.md"}
"""Pages that lie outside docs/, where readers of the repository look for them."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_SHIM = '<script src="https://unpkg.com/iframe-worker/shim"'
"""What Zensical's pages load for the search where they are opened from a disk (file://)."""


def main(repository: str = "") -> int:
    """Build and check; return the exit status."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    write_reference(PAGES / "reference")
    for source, name in list_sources():
        target = PAGES / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = source.read_text(encoding="utf-8")
            target.write_text(redirect_links(text, source, name, repository), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    shutil.copyfile(HERE / "zensical.toml", PAGES.parent / "zensical.toml")
    program = ROOT / ".site" / "bin" / "zensical"
    built = subprocess.run([program, "build", "--strict", "--clean"], cwd=PAGES.parent)
    if built.returncode:
        return built.returncode
    _take_shim_along()
    faults = [*_find_unlisted_pages(), *find_broken_links(SITE)]
    print(*faults, sep="\n")
    pages = len(list(SITE.rglob("*.html")))
    print(f"{pages} pages in {SITE.relative_to(ROOT)}, {len(faults)} faults of links.")
    return bool(faults)


def list_sources() -> Iterator[tuple[Path, str]]:
    """Yield the files that become pages or lie beside them, with their names in the site."""
    for path in sorted(DOCS.rglob("*.*")):
        if HERE not in path.parents and path.is_file():
            yield path, str(path.relative_to(DOCS))
    yield from ELSEWHERE.items()


def redirect_links(text: str, source: Path, name: str, repository: str) -> str:
    """Return a page whose links lead to pages of the site, to the repository, or nowhere."""
    own = {path.resolve(): page for path, page in list_sources()}

    def redirect(link: re.Match[str]) -> str:
        picture, words, address = link.groups()
        parts = urlsplit(address)
        if parts.scheme or not parts.path:
            return link[0]
        target = (source.parent / unquote(parts.path)).resolve()
        if DOCS / "reference" in target.parents:  # made by `write_reference`
            own[target] = str(target.relative_to(DOCS))
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        if page := own.get(target):
            up = "../" * name.count("/")
            return f"{picture}[{words}]({up}{page}{anchor})"
        if not target.exists():
            raise SystemExit(f"{source.relative_to(ROOT)}: there is no {address}")
        path = target.relative_to(ROOT)
        return f"[{words}]({repository}/{path}{anchor})" if repository else words

    return _LINK.sub(redirect, text)


def _take_shim_along() -> None:
    """Let pages load the shim from beside them: a reader's browser asks nobody else."""
    shutil.copy(HERE / "iframe-worker.js", SITE / "assets")
    for page in SITE.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        up = "../" * (len(page.relative_to(SITE).parts) - 1)
        own = text.replace(_SHIM, f'<script src="{up}assets/iframe-worker.js"')
        page.write_text(own, encoding="utf-8")


def _find_unlisted_pages() -> Iterator[str]:
    """Yield pages that the navigation does not name: nobody would come to them."""
    listed = (HERE / "zensical.toml").read_text(encoding="utf-8")
    for page in sorted(PAGES.rglob("*.md")):
        name = str(page.relative_to(PAGES))
        if f'"{name}"' not in listed:
            yield f"{name}: not in the navigation of docs/site/zensical.toml"


class _Page(HTMLParser):
    """The anchors of a page, what it links to, and what a browser fetches with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and (address := values.get("href")):
            self.links.append(address)
        address = values.get("href" if tag == "link" else "src") or values.get("srcset")
        if address and tag != "a" and values.get("rel") not in ("prev", "next", "canonical"):
            self.fetched.append(address)


def find_broken_links(site: Path) -> Iterator[str]:
    """Yield a sentence for each link that leads nowhere, and for what is fetched from elsewhere.

    Addresses of other hosts are not asked: readers follow those by choice.
    """
    pages = {
        path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
    }
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for address in page.fetched:
            if urlsplit(address).netloc:
                yield f"{name}: fetches {address}"
        for address in (*page.links, *page.fetched):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or name.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{name}: there is no {address}"
            elif parts.fragment and target in pages:
                anchors = pages[target].anchors
                if unquote(parts.fragment) not in anchors:
                    yield f"{name}: no place of that name in {address}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
