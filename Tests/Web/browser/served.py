"""The files of the page as a server sends them: joined by debugd, or separately."""

import mimetypes
import os
import pathlib
import urllib.request

WEB = pathlib.Path(__file__).resolve().parents[3] / "web"

# The folder with the page as joined by debugd. Loading a hundred and fifty files instead would take
# most of the processor time of a test.
VARIABLE = "JOINED_PAGE"
JOINED = {"index.html": "", "page.js": "page.js", "page.css": "page.css"}


def join(daemon, folder):
    """Saves the joined page that a daemon sends. Tests in this process and its children use it."""
    for name, path in JOINED.items():
        with urllib.request.urlopen(daemon.address + path, timeout=60) as answer:
            pathlib.Path(folder, name).write_bytes(answer.read())
    os.environ[VARIABLE] = str(folder)


def file_at(path, separate=False):
    """The file for the path of a request (None if there is none), and its type."""
    name = path.split("?")[0].lstrip("/") or "index.html"
    folder = os.environ.get(VARIABLE)
    joined = folder and name in JOINED and not separate
    file = pathlib.Path(folder) / name if joined else WEB / name
    kind = mimetypes.guess_type(file.name)[0] or "text/plain"
    return (file if file.is_file() else None), kind
