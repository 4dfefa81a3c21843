"""Chromium without the parts of it that no test looks at."""

# Playwright's own list: Chromium obeys the last list alone.
PLAYWRIGHT_TURNS_OFF = [
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
]

# Two pages of the address bar that Chromium prepares for each window. They cost as much processor
# time as the inspector itself, and no test types an address.
ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]


def launch(playwright, arguments=()):
    """A Chromium that Playwright drives."""
    features = ",".join(PLAYWRIGHT_TURNS_OFF + ADDRESS_BAR)
    return playwright.chromium.launch(
        executable_path="/usr/bin/chromium",
        args=["--no-sandbox", f"--disable-features={features}", *arguments])
