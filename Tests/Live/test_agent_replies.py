"""What `debugd mcp` replies: true sentences, within the budget, with how to get the rest."""

import json

from agents import AgentCase
from basket import with_basket


class AgentReplies(AgentCase):
    def test_entries_of_one_side_only_are_a_difference(self):
        with_basket(self.daemon)
        agent = self.agent()
        events = agent.call("entries", timeline="basket", **{"from": 0})["entries"]
        longer = agent.call(
            "fork", timeline="basket", edits=[{"append": events[1]["event"]}], keep=True)
        self.assertEqual((longer["differing"], longer["alone"]), (0, 1))
        self.assertNotIn("note", longer)
        reply = agent.call("diff", timeline="basket", other=longer["branch"])
        self.assertEqual((reply["differing"], reply["alone"]), (0, 1))
        self.assertNotIn("note", reply)
        compared = self.daemon.run("compare", "basket", longer["branch"], check=False)
        self.assertIn("1 on one side only", compared.stdout)
        same = agent.call("diff", timeline="basket", other="basket")
        self.assertEqual(same["note"], "Their entries are the same.")
