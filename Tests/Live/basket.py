"""The basket of the examples, whose reducer has a bug."""

import subprocess

from daemon import BUILD


def with_basket(daemon):
    """Records the example whose basket has a bug, and gives the daemon its reducer."""
    subprocess.run(
        [BUILD / "Elsewhere"], check=True, stdout=subprocess.DEVNULL,
        env={**daemon.environment, "DEBUGD": f"unix:{daemon.socket}"})
    daemon.run("host", BUILD / "Elsewhere")
