"""The PostgreSQL cluster that the suite `database` starts, which tests stop, start, and look into."""

import os
import pathlib
import subprocess
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = os.environ.get("TEAM_CLUSTER")


class Database:
    """A new database of the cluster; `with Database() as database` drops it."""

    def __init__(self):
        self.name = "t" + uuid.uuid4().hex
        self.address = f"postgres:///{self.name}?host={FOLDER}&user=tests"

    @property
    def pooled(self):
        """The address through PgBouncer, which has two connections for a database."""
        return f"host={FOLDER}/pooler port=6432 user=tests dbname={self.name}"

    def __enter__(self):
        query("postgres", f"CREATE DATABASE {self.name}")
        return self

    def __exit__(self, *_):
        query("postgres", f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")

    def run(self, statement):
        """Runs a statement; returns its rows as text."""
        return query(self.name, statement)

    def expire_lease(self):
        """Does what time does."""
        self.run("UPDATE lease SET expires = clock_timestamp()")

    def end_connections(self, condition="true"):
        """Ends connections as a server does that is shut down."""
        query("postgres", f"""SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = '{self.name}' AND {condition}""")


def query(database, statement):
    result = subprocess.run(
        ["psql", "-h", FOLDER, "-U", "tests", "-d", database, "-X", "-A", "-t", "-q",
         "-v", "ON_ERROR_STOP=1", "-c", statement],
        capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        raise AssertionError(f"{statement}: {result.stderr}")
    return result.stdout.splitlines()


def stop():
    """Stops the cluster without waiting for clients."""
    script("stop_cluster")


def start():
    """Starts the cluster again."""
    script("resume_cluster")


def script(function):
    subprocess.run(
        ["bash", "-c", f'. scripts/lib/cluster.sh; {function} "$1"', "cluster", FOLDER],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=120)
