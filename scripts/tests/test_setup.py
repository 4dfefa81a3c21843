import os
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
# The programs that the scripts may use; all others are hidden.
TOOLS = ("awk basename bash cat cut dirname env grep head id ldd ln mkdir mktemp paste printf "
         "python3 readlink rm sed sort tail tr uname").split()


class Setup(unittest.TestCase):
    """The part of scripts/run and scripts/test that finds and installs missing packages.

    It runs with its own PATH, on which the test supplies `swift`, `sudo`, `id`, and `apt-get`. A planted
    need replaces the real ones.
    """

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(SCRIPTS, os.path.join(self.root, "scripts"))
        self.bin = os.path.join(self.root, "bin")
        os.mkdir(self.bin)
        for tool in TOOLS:
            place = shutil.which(tool)
            if place:
                os.symlink(place, os.path.join(self.bin, tool))
        self.write("os-release", "ID=debian\nVERSION_ID=12\n")
        self.write("scripts/needs/thing.sh", 'purpose="a thing"\npackages="libthing-dev thing"\n'
                   f"probe() {{ echo tried; [ -e {self.root}/thing ]; }}\n")

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def command(self, name, body):
        path = os.path.join(self.bin, name)
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{shutil.which('bash')}\n{body}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def run_setup(self, call="setup thing"):
        ran = subprocess.run(
            ["bash", "-c", "source scripts/lib/common.sh; source scripts/lib/setup.sh; "
             f"{call}; echo done"],
            cwd=self.root, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={"PATH": self.bin, "OS_RELEASE": os.path.join(self.root, "os-release")},
        )
        return ran.stdout + ran.stderr, ran.returncode

    def be(self, user):
        self.command("id", f"echo {user}")

    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.write("thing", "")
        self.command("apt-get", f"echo \"$@\" >> {self.root}/apt")
        self.assertEqual(self.run_setup(), ("done\n", 0))
        self.assertFalse(os.path.exists(f"{self.root}/apt"))

    def test_root_installs_missing_packages(self):
        self.be(0)
        self.command("apt-get", f"echo \"$@\" >> {self.root}/apt\n"
                     f"case \"$*\" in *install*) echo > {self.root}/thing;; esac")
        output, status = self.run_setup()
        self.assertEqual(status, 0, output)
        self.assertIn("missing: a thing", output)
        self.assertIn("installing with apt-get: libthing-dev thing", output)
        with open(f"{self.root}/apt", encoding="utf-8") as file:
            self.assertRegex(file.read(), r"update\n.*install -y .*libthing-dev thing\n$")

    def test_sudo_is_used_where_it_works(self):
        self.be(1000)
        self.command("sudo", '[ "$1" = -n ] && shift; exec "$@"')
        self.command("true", "exit 0")
        self.command("apt-get", f"echo > {self.root}/thing")
        output, status = self.run_setup()
        self.assertEqual(status, 0, output)

    def test_a_user_without_sudo_gets_the_list_of_packages(self):
        self.be(1000)
        self.command("apt-get", f"echo > {self.root}/thing")
        for sudo in (None, "exit 1"):
            with self.subTest(sudo=sudo):
                if sudo:
                    self.command("sudo", sudo)
                output, status = self.run_setup()
                self.assertEqual(status, 1)
                self.assertIn(
                    "Packages are missing, and you are neither root nor able to use sudo here.",
                    output)
                self.assertIn("apt-get install -y --no-install-recommends libthing-dev thing",
                              output)
                self.assertNotIn("done", output)

    def test_another_distribution_gets_the_list(self):
        self.be(0)
        self.write("os-release", "ID=fedora\nVERSION_ID=40\n")
        output, status = self.run_setup()
        self.assertEqual(status, 1)
        self.assertRegex(output, r"not Debian 12 or 13[\s\S]*a thing +libthing-dev thing")

    def test_each_release_of_debian_gets_its_own_packages(self):
        self.be(0)
        with open(f"{self.root}/scripts/needs/thing.sh", "a", encoding="utf-8") as file:
            file.write('packages_13="libthing13-dev"\n')
        self.command("apt-get", f"echo \"$@\" >> {self.root}/apt")
        for release, packages in (("12", "libthing-dev thing"), ("13", "libthing13-dev")):
            with self.subTest(release=release):
                self.write("os-release", f"ID=debian\nVERSION_ID={release}\n")
                output, _ = self.run_setup()
                self.assertIn(f"installing with apt-get: {packages}\n", output)
        self.write("os-release", "ID=debian\nVERSION_ID=11\n")
        output, _ = self.run_setup()
        self.assertIn("not Debian 12 or 13", output)

    def test_an_installation_that_fails_is_shown(self):
        self.be(0)
        self.command("apt-get", "echo no network; exit 100")
        output, status = self.run_setup()
        self.assertEqual(status, 1)
        self.assertIn("no network", output)
        self.assertIn("apt-get failed, see above (all of it: .build/setup/apt.log).", output)
        self.assertIn("To fix this", output)

    def test_packages_missing_after_the_installation_are_listed(self):
        self.be(0)
        self.command("apt-get", "exit 0")
        output, status = self.run_setup()
        self.assertEqual(status, 1)
        self.assertIn("Still missing after the installation: a thing", output)
        self.assertIn("The probe printed:", output)

    def test_swift_must_be_installed_and_new_enough(self):
        self.write("scripts/needs/toolchain.sh", 'purpose="swift"\npackages="gcc"\nprobe() { :; }\n')
        output, status = self.run_setup("setup toolchain")
        self.assertEqual(status, 1)
        self.assertIn("no swift on the PATH", output)
        for version, good in (("5.10.1", False), ("6.1.2", False), ("6.2", True), ("6.10.1", True)):
            with self.subTest(version=version):
                self.command("swift", f"echo 'Swift version {version} (swift-RELEASE)'")
                output, status = self.run_setup("setup toolchain")
                self.assertEqual(status, 0 if good else 1, output)
                if not good:
                    self.assertIn(f"swift is {version}", output)
                    self.assertIn("is needed: https://www.swift.org/install", output)

    def test_each_need_of_a_script_exists(self):
        known = {name.removesuffix(".sh") for name in os.listdir(os.path.join(SCRIPTS, "needs"))}
        found = 0
        for name in sorted(os.listdir(SCRIPTS)):
            path = os.path.join(SCRIPTS, name)
            if not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    call = re.search(r"(?:^|[;{&|]) *setup ([a-z][a-z -]*)", line)
                    if call:
                        found += 1
                        self.assertEqual(set(call[1].split()) - known, set(), f"{name}: {line}")
        self.assertGreater(found, 5)

    def test_each_need_has_a_purpose_and_packages(self):
        for name in sorted(os.listdir(os.path.join(SCRIPTS, "needs"))):
            with self.subTest(need=name):
                name = name.removesuffix(".sh")
                call = f"field {name} purpose; echo; field {name} packages; echo"
                lines = self.run_setup(call)[0].splitlines()
                self.assertEqual(len(lines), 3)
                self.assertTrue(all(lines), lines)


if __name__ == "__main__":
    unittest.main()
