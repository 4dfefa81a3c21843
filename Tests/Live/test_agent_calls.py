"""Calls of `debugd mcp` whose connection, host, or client goes away."""

from agents import Agent, AgentCase
from basket import with_basket
from cutting_proxy import CuttingProxy
from daemon import BUILD

INTERRUPTED = (
    "The connection to the daemon ended during the call, so it may have been done. Look with "
    "'timelines' before you call it again.")


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

    def test_a_change_after_the_daemon_was_restarted_is_made_once(self):
        with_basket(self.daemon)
        agent = self.agent()
        agent.call("timelines")
        self.daemon.stop()
        self.daemon.start()
        self.daemon.run("host", BUILD / "Elsewhere")
        agent.call("fork", timeline="basket", edits=[{"drop": 7}])
        self.assertEqual(len(agent.call("timelines", machine="basket")["timelines"]), 2)
