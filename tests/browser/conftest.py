"""The system's browser, a tab of it, and an app without a key."""

import shutil

import pytest

from core.library.storage.library import Library
from tests.browser.app_server import FAILED, new_window, picture, served
from tests.cup import queue_in

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Note of a test that it failed, for its tab."""
    report = yield
    item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def chromium():
    """Where the system's Chromium lies."""
    executable = next((path for name in NAMES if (path := shutil.which(name))), None)
    return executable or pytest.skip(f"no browser here: none of {', '.join(NAMES)}")


@pytest.fixture(scope="module")
def browser(chromium):
    """The system's Chromium, for one module: while it runs, no test can run its own event loop."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the package playwright is not installed"
    )
    playwright.expect.set_options(timeout=60_000)  # as long as a window waits
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def window(browser):
    """A window whose tabs share what they have fetched, as a person's do."""
    context = new_window(browser, color_scheme="light")
    yield context
    context.close()


@pytest.fixture
def tab(window, request):
    """A new tab; what it shows at the end of a test that failed is kept and told."""
    page = window.new_page()
    yield page
    if request.node.stash.get(FAILED, False):
        picture(page, request.node.name, wanted=True)
        print(f"At the end {page.url} showed:\n{page.locator('body').inner_text()}")
    page.close()


@pytest.fixture(scope="session")
def visited(tmp_path_factory, samples):
    """The folder of the app without a key, which has read the sample rulebooks."""
    folder = tmp_path_factory.mktemp("offline")
    shutil.copytree(samples, folder / "library")
    return folder


@pytest.fixture
def brought(visited):
    """The library of the app without a key. What is brought to it is gone after the test.

    Beside other documents the samples would no longer answer.
    """
    library = Library(visited / "library")
    yield library
    for document in library.documents():
        if not document.is_sample:
            library.remove_document(document.document_id)
    queue = queue_in(library.folder)
    for job in queue.list_jobs():
        queue.forget_job(job.entry_id)


@pytest.fixture(scope="session")
def offline(chromium, visited):
    """The address of an app without a key, started once."""
    with served(visited) as address:
        yield address
