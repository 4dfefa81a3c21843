"""What the tests of copies between daemons share."""


def key(daemon, *words):
    """A key from `debugd open --key`."""
    return daemon.run("open", "--key", *words).stdout.strip()


def address(daemon):
    return f"{'wss' if daemon.address.startswith('https') else 'ws'}://127.0.0.1:{daemon.port}"


def exported(daemon, timeline):
    return daemon.run("export", timeline, "--out", "-").stdout


def copy(daemon, *words, key=None, check=True):
    """Runs `debugd push` or `pull` on the data of a daemon."""
    daemon.environment["DEBUGD_KEY"] = key or ""
    return daemon.run(*words, check=check, timeout=300)
