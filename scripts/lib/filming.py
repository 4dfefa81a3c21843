"""What scripts that take pictures of the page need, and what to run where it is missing."""

import importlib.util
import os
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
CHROMIUM = "/usr/bin/chromium"


def require(programs, packages=("playwright",)):
    """Makes the browser tests importable, or exits with one sentence on what is missing."""
    folder = os.environ.setdefault("LIVE_BUILD", os.path.join(ROOT, ".build", "debug"))
    examples = os.environ.get("EXAMPLES_BUILD", folder)
    for program in programs:
        if not os.path.exists(os.path.join(folder if program == "debugd" else examples, program)):
            sys.exit(f"{program} is not built. Run: scripts/run")
    own = os.path.join(ROOT, ".build", "python", "bin", "python")
    if not has("playwright"):
        if os.path.exists(own) and not os.path.samefile(sys.prefix, os.path.dirname(own) + "/.."):
            os.execv(own, [own, *sys.argv])
        sys.exit("The Python packages of the browser tests are missing. Run: scripts/test web-browser")
    if not os.path.exists(CHROMIUM):
        sys.exit(f"{CHROMIUM} is missing. Run: scripts/test web-browser")
    if "PIL" in packages and not has("PIL"):
        sys.exit(f"Pillow is missing. Run: {sys.executable} -m pip install pillow")
    sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "browser"))


def has(package):
    return importlib.util.find_spec(package) is not None
