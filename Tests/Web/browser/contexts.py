"""Browser contexts that tests use one after another.

A new context for each test starts a process that compiles the page again, which is more than a third of the
processor time of opening it. The process of a site lives as long as one of its pages, so each
context here keeps an empty one. The tests' own pages are new, with a history and a session storage of
their own; everything else that a page can leave in a context is removed between tests.
"""

import urllib.parse

# The pages of a site share a process, instead of one for each page.
ARGUMENTS = ["--process-per-site"]

# The site of every server in the tests: ports make no difference.
SITE = "http://127.0.0.1/"

# The options with which contexts are kept. Others, such as a touch screen, are rare.
KEPT_OPTIONS = {"viewport", "color_scheme", "bypass_csp"}


class Contexts:
    """The contexts of a browser."""

    def __init__(self, browser):
        self.browser = browser
        self.free = {}

    def lend(self, **options):
        """A context in which no page is open and nothing is stored."""
        free = self.free.setdefault(repr(sorted(options.items())), [])
        return free.pop() if free else Lent(self.browser.new_context(**options), free)


class Lent:
    """A context, and the page that keeps its process."""

    def __init__(self, context, free):
        self.context, self.free = context, free
        self.closed, self.origins = False, set()
        context.on("close", self.end)
        self.kept = context.new_page()
        self.kept.route("**/*", lambda route: route.fulfill(body=""))
        self.kept.goto(SITE)
        self.session = context.new_cdp_session(self.kept)
        context.on("page", lambda page: page.on("framenavigated", self.visited))

    def end(self, _):
        self.closed = True

    def visited(self, frame):
        parts = urllib.parse.urlsplit(frame.url)
        if parts.netloc:
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def put_back(self):
        """Empties the context for the next test. If the test closed it, the next one gets another."""
        if self.closed:
            return
        for page in self.context.pages:
            if page is not self.kept:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        for origin in self.origins:
            self.session.send(
                "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.session.send("Network.clearBrowserCache")
        self.origins.clear()
        self.free.append(self)
