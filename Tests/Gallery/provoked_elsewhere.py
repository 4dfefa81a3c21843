"""The messages of Troubleshooting that other suites provoke."""

# Provoked by other tests: the file, and the part of the message that it checks.
SETUP = "scripts/tests/test_setup.py"
ADAPTERS = "Tests/RecorderTests/Adapters/ReplayableAdapterTests.swift"
EXIT = "Tests/RecorderTests/Crash/ExitTests.swift"
DATABASE = "Tests/Team/test_database.py"
ROWS = "Tests/TimelineStoreTests/Postgres/PostgresRowsTests.swift"
TRUST = "Tests/DebugdTests/FileTrustTests.swift"
ELSEWHERE = {
    "There is no swift on the PATH. Install Swift … or newer from": (SETUP, "no swift on the PATH"),
    "is needed: https://www.swift.org/install": (SETUP, "is needed: https://www.swift.org/install"),
    "Packages are missing, and you are neither root nor able to use sudo here.":
        (SETUP, "neither root nor able to use sudo here."),
    "This is not Debian 12 or 13, so the script installs nothing. Install these with your package manager":
        (SETUP, "not Debian 12 or 13"),
    "apt-get failed, see above (all of it: .build/setup/apt.log).": (SETUP, "apt-get failed, see above"),
    "… already exists. To keep it, add --name NAME; to replace it, --force.":
        ("Tests/Live/test_wrong_names.py", "already exists. To keep it, add --name NAME"),
    "Not signed in": ("Tests/Web/browser/test_live_connection.py", "Not signed in"),
    "The daemon cannot be reached": ("Tests/Web/browser/test_live_connection.py", "cannot be reached"),
    "No recording yet": ("Tests/Web/browser/test_access_states.py", "No recording yet"),
    "… is recorded, but cannot be replayed or forked. …": (ADAPTERS, "cannot be replayed or forked. "),
    "… records a machine for each event: …": (ADAPTERS, "records a machine for each event"),
    "The data in … is held by process …, but no daemon answers at ….":
        ("Tests/Live/test_starting.py", "no daemon answers at "),
    "The daemon at … cannot be used: …": (EXIT, "cannot be used: "),
    "… not sent to the daemon: …": (EXIT, " not sent to the daemon"),
    "… not written: the program ended first. To fix, call close(within:) with more "
    "time before the program ends.": (EXIT, " not written: the program ended first."),
    "Other users can write to the …, and make the daemon run any program.":
        (TRUST, "Other users can write to the "),
    "The …, belongs to another user, who could make the daemon run any program.":
        (TRUST, "belongs to another user, who could make the daemon run"),
    "The socket … belongs to another user: a daemon serves only its own user. To fix, pass the socket "
    "of your own daemon: --socket PATH":
        ("Tests/DebugServerTests/Client/ForeignSocketTests.swift",
         "belongs to another user: a daemon serves only its own user."),
    "A daemon on … serves the database; its lease is valid until … unless it is renewed. To fix, use "
    "that daemon, or stop it first.": (DATABASE, " serves the database; its lease is valid until "),
    "The timelines of … are in a database, and no daemon serves it here.":
        (DATABASE, " are in a database, and no daemon serves it here."),
    "Another daemon has taken over the database, so this one ends.":
        (DATABASE, "Another daemon has taken over the database, so this one ends."),
    "The database cannot be used: …": (DATABASE, "The database cannot be used: "),
    "The database does not answer: …": (DATABASE, "The database does not answer: "),
    "The database does not store entries: another session holds a lock on its tables.":
        (ROWS, "The database does not store entries: another session holds a lock on its tables."),
    "The database server does not store entries: …":
        (ROWS, "The database server does not store entries: "),
}
