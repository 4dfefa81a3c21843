"""Chromium without the features that no test uses.

Tests run in the headless shell, which has no windows and starts faster. CHROMIUM sets another one.
"""

import atexit
import ctypes
import os
import time

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")

PR_SET_CHILD_SUBREAPER = 36

# Playwright's own list: Chromium only obeys the last list.
PLAYWRIGHT_TURNS_OFF = [
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
]

# Chromium with windows prepares two pages of the address bar for each. They cost as much processor time as
# the inspector itself, and no test types an address.
ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]


# Without a GPU, these spare an emulated one.
WITHOUT_GPU = ["--disable-gpu", "--disable-software-rasterizer"]


def adopt_orphans():
    """Makes this process the parent of Chromium's processes after Chromium itself has ended.

    Otherwise process 1 inherits them, and no suite counts their processor time, which is more than half
    the cost of a browser test.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    atexit.register(reap)


def reap():
    """Waits for the processes that end with the browser. One that keeps running does not block the tests."""
    for _ in range(20):
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            return
        time.sleep(0.05)


# Before Playwright's driver starts: the first registered function runs last, when all have ended.
adopt_orphans()


def launch(playwright, arguments=()):
    """A Chromium that Playwright drives."""
    features = ",".join(PLAYWRIGHT_TURNS_OFF + ADDRESS_BAR)
    return playwright.chromium.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", *WITHOUT_GPU, f"--disable-features={features}", *arguments])
