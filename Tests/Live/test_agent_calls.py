"""Calls of `debugd mcp` whose connection, host, or client goes away."""

import json
import os
import signal
import socketserver
import tempfile
import threading
import time

from agents import META, Agent, AgentCase
from basket import with_basket
from cutting_proxy import CuttingProxy
from daemon import BUILD
from freezing import freeze
from peers import Inspector
from probe import Probe
from test_branches import recording

INTERRUPTED = (
    "The connection to the daemon ended during the call, so it may have been done. Look with "
    "'timelines' before you call it again.")


class EndsAtOnce(socketserver.BaseRequestHandler):
    """Accepts a connection, and closes it."""


class AgentCalls(AgentCase):
    def through_proxy(self):
        """An agent whose messages to the daemon a proxy sees, and the proxy."""
        proxy = CuttingProxy(self.daemon)
        self.addCleanup(proxy.__exit__, None, None, None)
        agent = Agent(self.daemon, "--socket", proxy.socket)
        self.addCleanup(agent.__exit__)
        return agent, proxy

    def test_a_call_that_changes_something_is_not_repeated_when_its_connection_ends(self):
        with_basket(self.daemon)
        agent, proxy = self.through_proxy()
        proxy.cut = {"minimise"}
        predicate = "outputs.count == 0 && outputs.total != 0"
        self.assertEqual(
            agent.refusal("minimize", timeline="basket", predicate=predicate), INTERRUPTED)
        self.assertEqual(proxy.seen.count("minimise"), 1)
        # The next call connects again.
        proxy.cut = set()
        self.assertEqual(
            agent.call("minimize", timeline="basket", predicate=predicate)["events"], 3)

    def test_the_end_of_a_forks_own_connection_leaves_the_shared_one_open(self):
        with_basket(self.daemon)
        agent, proxy = self.through_proxy()
        agent.call("timelines")
        proxy.cut = {"fork"}
        self.assertEqual(
            agent.refusal("fork", timeline="basket", edits=[{"drop": 7}]), INTERRUPTED)
        self.assertEqual(proxy.seen.count("fork"), 1)
        self.assertEqual(len(agent.call("timelines", machine="basket")["timelines"]), 2)
        self.assertEqual(proxy.connections, 2)

    def test_a_call_that_only_reads_is_repeated_once_when_its_connection_ends(self):
        with_basket(self.daemon)
        agent, proxy = self.through_proxy()
        agent.call("timelines")
        proxy.cut = {"find"}
        self.assertIn(
            "The connection to the daemon ended",
            agent.refusal("find", timeline="basket", predicate="state.count > 0"))
        self.assertEqual(proxy.seen.count("find"), 2)
        proxy.cut = set()
        self.assertTrue(agent.call("find", timeline="basket", predicate="true")["entries"])

    def test_a_daemon_that_does_not_answer_delays_no_other_request(self):
        agent = self.agent()
        agent.tools()

        def list_tools(id):
            agent.write({
                "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {"_meta": META}})

        freeze(self.daemon.process)
        os.waitpid(self.daemon.process.pid, os.WUNTRACED)
        # If the server does not read on, only this lets the test end.
        timer = threading.Timer(60, self.daemon.process.send_signal, [signal.SIGCONT])
        timer.start()
        self.addCleanup(timer.cancel)
        list_tools("kept")
        list_tools("canceled")
        agent.write({"jsonrpc": "2.0", "method": "notifications/cancelled",
                     "params": {"requestId": "canceled"}})
        self.assertEqual(agent.ask("ping")["resultType"], "complete")
        self.daemon.process.send_signal(signal.SIGCONT)
        self.assertEqual(agent.read()["id"], "kept")
        agent.ask("ping")

    def test_another_program_on_the_socket_is_not_called_a_missing_daemon(self):
        path = self.enterContext(tempfile.TemporaryDirectory()) + "/s"
        agent = Agent(self.daemon, "--socket", path)
        self.addCleanup(agent.__exit__)
        self.assertIn("No daemon is running.", agent.refusal("timelines"))
        with socketserver.UnixStreamServer(path, EndsAtOnce) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.assertRegex(
                agent.refusal("timelines"),
                f"^The program that listens at {path} is not a daemon, or does not answer: .* Ask the user "
                "to end it, and to run: debugd serve ")
            server.shutdown()
        self.assertIn("No daemon is running.", agent.refusal("timelines"))

    def test_a_change_after_the_daemon_was_restarted_is_made_once(self):
        with_basket(self.daemon)
        agent = self.agent()
        agent.call("timelines")
        self.daemon.stop()
        self.daemon.start()
        self.daemon.run("host", BUILD / "Elsewhere")
        agent.call("fork", timeline="basket", edits=[{"drop": 7}])
        self.assertEqual(len(agent.call("timelines", machine="basket")["timelines"]), 2)

    def test_the_pages_of_a_test_are_exported_once(self):
        with_basket(self.daemon)
        agent, proxy = self.through_proxy()
        page = agent.call("export_test", timeline="basket", max_bytes=1024)
        pages = 1
        while "next" in page:
            page = agent.call("export_test", timeline="basket", max_bytes=1024, offset=page["next"])
            pages += 1
        self.assertGreater(pages, 2)
        self.assertEqual(proxy.seen.count("export"), 1)
        # From the start, the recording is read again: it may have grown.
        agent.call("export_test", timeline="basket")
        self.assertEqual(proxy.seen.count("export"), 2)

    def begin_branch(self, agent, probe):
        """Calls fork while the only host does not answer; returns once the branch exists."""
        path = self.daemon.data / "a.timeline"
        parent = recording(path, 20_000, app="hosted")
        self.daemon.run("import", path)
        freeze(probe.process)
        agent.write({
            "jsonrpc": "2.0", "id": "fork", "method": "tools/call", "params": {
                "_meta": META, "name": "fork",
                "arguments": {"timeline": parent, "edits": [{"drop": 2}]}}})
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with Inspector(self.daemon.socket) as inspector:
                for summary in inspector.ask("timelines")["timelines"]:
                    if summary["header"].get("parent", {}).get("timeline") == parent:
                        return summary["header"]["timeline"]
            time.sleep(0.02)
        self.fail("no branch was made")

    def test_a_branch_whose_host_leaves_is_named_with_what_it_waits_for(self):
        agent = self.agent()
        with Probe("hosted", "live", debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            branch = self.begin_branch(agent, probe)
            probe.process.kill()
            probe.process.wait()
        reply = agent.read()
        self.assertEqual(reply["id"], "fork")
        answer = json.loads(reply["result"]["content"][0]["text"])
        self.assertEqual(answer["branch"], branch)
        self.assertRegex(
            answer["note"], r"^The branch waits for a host: .*Troubled.* It goes on by itself: compare "
            "it later, with 'diff' and 'other'.$")

    def test_a_canceled_fork_ends_without_a_reply(self):
        agent = self.agent()
        with Probe("hosted", "live", debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            self.begin_branch(agent, probe)
            agent.write({"jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": {"requestId": "fork"}})
            # The next reply is that of the next request, and the server ends with its input.
            self.assertTrue(agent.call("timelines")["timelines"])
            agent.process.stdin.close()
            self.assertEqual(agent.process.wait(60), 0)
            probe.process.kill()
            probe.process.wait()

    def test_canceling_an_explanation_cancels_it_in_the_daemon(self):
        agent, proxy = self.through_proxy()
        path = self.daemon.data / "a.timeline"
        parent = recording(path, 20_000, app="hosted")
        self.daemon.run("import", path)
        with Probe("hosted", "live", debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            # The fewest events need this host.
            freeze(probe.process)
            agent.write({
                "jsonrpc": "2.0", "id": "why", "method": "tools/call", "params": {
                    "_meta": META, "name": "explain",
                    "arguments": {"timeline": parent, "predicate": "state.total > 10"}}})
            self.wait_for(lambda: "explain" in proxy.seen)
            agent.write({"jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": {"requestId": "why"}})
            self.wait_for(lambda: "cancel" in proxy.seen)
            probe.process.kill()
            probe.process.wait()

    def wait_for(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, "it did not happen")
            time.sleep(0.02)
