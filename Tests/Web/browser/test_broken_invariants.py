"""What the page shows when a live machine breaks an invariant that the daemon keeps."""

import json
import unittest
import uuid

from playwright.sync_api import expect

from live import DaemonTest
from peers import Recorder
import recordings


class BrokenInvariants(DaemonTest):
    def test_a_notice_names_the_entry_and_the_condition(self):
        timeline = str(uuid.uuid4())
        header = recordings.HEADER | {
            "timeline": timeline, "machine": {"type": "Watched", "name": "watched", "kind": "states"}}
        lines = [json.dumps({"seq": 0, "t": 0, "state": {"n": 0}})] + [
            json.dumps({"seq": seq, "t": seq, "event": "up",
                        "patch": [{"op": "replace", "path": "/n", "value": seq}]})
            for seq in (1, 2, 3)]
        with Recorder(self.daemon.socket) as recorder:
            recorder.open(header)
            recorder.append(timeline, lines[:2])
            recorder.wait_until_durable(timeline, 1)
            self.daemon.run("invariants", timeline, "--confirm", "state.n < 2")
            page = self.open_page(timeline)
            self.wait_for_seq(page, 1)
            expect(page.locator(".notice")).to_have_count(0)
            recorder.append(timeline, lines[2:])
            expect(page.locator(".notice.warning")).to_contain_text(
                "watched breaks an invariant at entry 2: state.n < 2")
            expect(page.locator(".notice")).to_have_count(1)


if __name__ == "__main__":
    unittest.main()
