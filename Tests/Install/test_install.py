"""scripts/install and scripts/deb: which files they install, that these work, and that they go away."""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
import urllib.request

import daemon
from daemon import BUILD, ROOT, Daemon

KINDS = [
    "bin/debugd", "share/bash-completion/completions/debugd", "share/debugd/web/index.html",
    "share/fish/vendor_completions.d/debugd.fish", "share/man/man1/debugd.1",
    "share/systemd/system/debugd-team.service", "share/systemd/user/debugd.service", "share/zsh/site-functions/_debugd",
]


def run(*words, check=True, **options):
    result = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=120, **options)
    if check and result.returncode != 0:
        raise AssertionError(f"{words} ended with {result.returncode}: {result.stderr}")
    return result


def install(*words, **options):
    return run(ROOT / "scripts/install", *words, **options)


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def first_page(binary):
    """The response of a daemon that was started in another folder, with no page next to it."""
    place = tempfile.mkdtemp(prefix="dbg")
    build, here = daemon.BUILD, os.getcwd()
    try:
        daemon.BUILD = binary.parent
        os.chdir(place)
        with Daemon() as served:
            # Unchanged; "/" has its modules joined.
            address = served.address.rstrip("/") + "/index.html"
            return urllib.request.urlopen(address, timeout=60).read()
    finally:
        os.chdir(here)
        daemon.BUILD = build
        shutil.rmtree(place)


class Installed(unittest.TestCase):
    """One installation that the tests inspect."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="inst"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "made" / "here"
        cls.planned = install("--binary", BUILD / "debugd", "--prefix", cls.prefix, "--dry-run")
        cls.was_dry = not cls.prefix.parent.exists()
        cls.said = install("--binary", BUILD / "debugd", "--prefix", cls.prefix).stdout
        cls.binary = cls.prefix / "bin/debugd"

    def test_it_runs_from_there(self):
        said = run(self.binary, "--version", cwd="/").stdout
        self.assertIn(said.splitlines()[0], self.said)
        self.assertEqual(said, run(BUILD / "debugd", "--version").stdout)

    def test_every_kind_of_file_is_there_with_its_mode(self):
        for name in KINDS:
            mode = stat.S_IMODE((self.prefix / name).stat().st_mode)
            self.assertEqual(mode, 0o755 if name == "bin/debugd" else 0o644, name)

    def test_a_dry_run_names_the_same_files_and_writes_none(self):
        self.assertTrue(self.was_dry)
        named = {line.split(f"{self.prefix}/")[1] for line in self.planned.stdout.splitlines()}
        self.assertEqual(named, files(self.prefix))

    def test_the_installed_page_is_that_of_the_source(self):
        self.assertEqual(first_page(self.binary), (ROOT / "web/index.html").read_bytes())
        web = {name for name in files(ROOT / "web")
               if not name.endswith(".md") and not name.split("/")[-1].startswith(".")}
        self.assertEqual(files(self.prefix / "share/debugd/web"), web)

    def test_bash_completes(self):
        script = f"""
          source {self.prefix}/share/bash-completion/completions/debugd
          complete -p debugd
          COMP_WORDS=(debugd ser) COMP_CWORD=1; _debugd; echo "${{COMPREPLY[@]}}"
          COMP_WORDS=(debugd serve --retain-a) COMP_CWORD=2; _debugd; echo "${{COMPREPLY[@]}}"
        """
        said = run("bash", "-uc", script).stdout.splitlines()
        self.assertEqual(said[0], "complete -F _debugd debugd")
        self.assertEqual(said[1:], ["serve", "--retain-age"])

    def test_the_man_page_is_well_formed_and_complete(self):
        page = self.prefix / "share/man/man1/debugd.1"
        formed = run("groff", "-man", "-ww", "-Tutf8", "-P-cbou", page)
        self.assertEqual(formed.stderr, "")
        text = re.sub(r"\s+", " ", formed.stdout)
        commands = re.findall(
            r"^  (?!debugd )(\w+) +\S", run(self.binary, "help").stdout, re.MULTILINE)
        self.assertGreater(len(commands), 20)
        for command in commands:
            self.assertTrue(f"debugd {command} " in text, command)
            helped = run(self.binary, command, "--help").stdout
            for option in re.findall(r"^  (?:-\w, |    )(--[\w-]+)", helped, re.MULTILINE):
                self.assertTrue(option in text, option)
            for words in re.findall(r"^ +(\S.*)$", "".join(helped.split("Examples:")[1:]), re.M):
                self.assertTrue(words.replace("…", "...") in text, words)

    def test_the_unit_names_this_installation(self):
        unit = self.prefix / "share/systemd/user/debugd.service"
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        result = run("systemd-analyze", "--user", "verify", unit, check=False, env={
            **os.environ, "XDG_RUNTIME_DIR": str(runtime), "SYSTEMD_LOG_LEVEL": "warning",
            "MANPATH": f"{self.prefix}/share/man"})
        said = [line for line in result.stderr.splitlines() if "debugd" in line
                and "man " not in line]
        self.assertEqual(said, [])
        text = unit.read_text()
        self.assertIn(f"ExecStart={self.binary} serve\n", text)
        self.assertNotRegex(text, "@(?!system-service)")
        # A comment above each setting of the sandbox and of the service says why.
        settings = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
        self.assertLessEqual({
            "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "read-only",
            "PrivateUsers": "yes", "PrivateTmp": "yes", "SystemCallFilter": "@system-service",
            "RuntimeDirectoryMode": "0700", "Type": "notify"}.items(), settings.items())
        self.assertEqual(settings["ReadWritePaths"], settings["ExecStartPre"].split()[-1])

    def test_systemd_accepts_the_unit_of_a_team_and_rates_its_sandbox(self):
        unit = self.prefix / "share/systemd/system/debugd-team.service"
        result = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit, check=False,
                     env={**os.environ, "SYSTEMD_LOG_LEVEL": "warning"})
        said = [line for line in result.stderr.splitlines() if "debugd" in line]
        self.assertEqual(said, [])
        text = unit.read_text()
        self.assertIn(f"ExecStart={self.binary} serve --config /etc/debugd/config\n", text)
        self.assertNotRegex(text, "@(?!system-service|privileged)")
        # 0 is the best sandbox that systemd knows, 10 the absence of one. A service without settings has 9.6.
        rated = run("systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", unit)
        self.assertRegex(rated.stdout, r"exposure level for debugd-team.service: [0-2]\.\d ")

    def test_the_unit_of_a_team_hands_over_the_password_as_libpq_wants_it(self):
        unit = self.prefix / "share/systemd/system/debugd-team.service"
        settings = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
        name, source = settings["LoadCredential"].split(":")
        self.assertEqual(source, "/etc/debugd/pgpass")
        with tempfile.TemporaryDirectory() as place:
            credentials, runtime = pathlib.Path(place, "credentials"), pathlib.Path(place, "run")
            credentials.mkdir()
            # Behind an access control list, the mode of the group is that of the list's mask.
            (credentials / name).write_text("*:*:*:*:hunter2\n")
            (credentials / name).chmod(0o440)
            (runtime / settings["RuntimeDirectory"]).mkdir(parents=True)
            command = (settings["ExecStartPre"].replace("%t", str(runtime))
                       .replace("${CREDENTIALS_DIRECTORY}", str(credentials)))
            run(*command.split())
            variable, path = settings["Environment"].replace("%t", str(runtime)).split("=")
            self.assertEqual(variable, "PGPASSFILE")
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            self.assertEqual(pathlib.Path(path).read_text(), "*:*:*:*:hunter2\n")
            self.assertNotIn("hunter2", unit.read_text())


class Removed(unittest.TestCase):
    def setUp(self):
        self.prefix = pathlib.Path(tempfile.mkdtemp(prefix="inst"))
        self.addCleanup(shutil.rmtree, self.prefix, ignore_errors=True)

    def install(self, *words, **options):
        return install("--prefix", self.prefix, *words, **options)

    def test_removing_leaves_only_the_files_of_others(self):
        (self.prefix / "bin").mkdir()
        (self.prefix / "share/man").mkdir(parents=True)
        (self.prefix / "share/debugd").mkdir(parents=True)
        (self.prefix / "share/debugd/mine").write_text("mine")
        before = sorted(self.prefix.rglob("*"))
        self.install("--binary", BUILD / "debugd")
        # An older version installed one more file, in its own folder.
        old = self.prefix / "share/debugd/web/old/gone.js"
        old.parent.mkdir()
        old.write_text("")
        with open(self.prefix / "share/debugd/installed", "a", encoding="utf-8") as listed:
            listed.write("share/debugd/web/old/\nshare/debugd/web/old/gone.js\n../outside\n")
        outside = self.prefix.parent / "outside"
        self.assertFalse(outside.exists())
        outside.write_text("kept")
        self.addCleanup(outside.unlink)
        self.install("--binary", BUILD / "debugd")
        self.assertFalse(old.exists())
        planned = self.install("--uninstall", "--dry-run").stdout
        self.assertTrue((self.prefix / "bin/debugd").exists())
        self.assertIn(f"would remove {self.prefix}/bin/debugd", planned)
        said = self.install("--uninstall", env={**os.environ, "XDG_STATE_HOME": "/srv/state"})
        self.assertIn("Recordings stay in /srv/state/debugd", said.stdout)
        self.assertEqual(sorted(self.prefix.rglob("*")), before)
        self.assertEqual(outside.read_text(), "kept")
        again = self.install("--uninstall", check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn("Nothing of debugd is installed", again.stderr)

    def test_arguments_that_make_no_sense_are_refused(self):
        for words, sentence in [
            (["--binary", "/bin/true"], "is not a debugd that runs here"),
            (["--binary", BUILD / "debugd", "--prefix", "/tmp/a b"], "cannot be a prefix"),
            (["--binary", BUILD / "debugd", "--prefix", "/"], "cannot be a prefix"),
            (["--binary", BUILD / "debugd", "--prefix", "/tmp/../etc"], "cannot be a prefix"),
            (["--binary"], "--binary needs a value"),
            (["--frobnicate"], "Unknown option '--frobnicate'"),
        ]:
            result = self.install(*words, check=False)
            self.assertEqual(result.returncode, 1, words)
            self.assertIn(sentence, result.stderr)
        self.assertEqual(files(self.prefix), set())


class Packed(unittest.TestCase):
    def test_the_package_contains_what_runs_and_names_its_dependencies(self):
        with tempfile.TemporaryDirectory() as place:
            made = run(ROOT / "scripts/deb", "--binary", BUILD / "debugd", "--shared-swift",
                       "--out", place)
            package = pathlib.Path(made.stdout.strip())
            version = run(BUILD / "debugd", "--version").stdout.split()[1]
            self.assertRegex(package.name, f"^debugd_{re.escape(version)}_[a-z0-9]+[.]deb$")
            fields = run("dpkg-deb", "-f", package).stdout
            for library in ("libc6", "libsqlite3-0", "libpq5", "libwebsockets", "libzstd1", "libssl"):
                self.assertIn(library, re.search("^Depends: (.*)$", fields, re.MULTILINE)[1])
            listed = run("dpkg-deb", "-c", package).stdout.splitlines()
            self.assertEqual({line.split()[1] for line in listed}, {"root/root"})
            run("dpkg-deb", "-x", package, f"{place}/root")
            root = pathlib.Path(place, "root")
            self.assertEqual(run(root / "usr/bin/debugd", "--version").stdout,
                             run(BUILD / "debugd", "--version").stdout)
            self.assertEqual(first_page(root / "usr/bin/debugd"),
                             (ROOT / "web/index.html").read_bytes())
            self.assertIn("ExecStart=/usr/bin/debugd serve\n",
                          (root / "usr/lib/systemd/user/debugd.service").read_text())
            self.assertIn("ExecStart=/usr/bin/debugd serve --config",
                          (root / "usr/lib/systemd/system/debugd-team.service").read_text())
            self.assertFalse((root / "usr/share/debugd/installed").exists())
            run("dpkg-deb", "-e", package, f"{place}/control")
            run("md5sum", "--check", "--quiet", f"{place}/control/md5sums", cwd=root)


if __name__ == "__main__":
    unittest.main()
