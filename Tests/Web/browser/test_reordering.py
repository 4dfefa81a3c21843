"""Moving an entry before any other one, with keys and pointer, in a basket of the gallery."""

import json
import unittest
import uuid

from gallery import GalleryTest

TIMELINE = "new URLSearchParams(location.hash.slice(1)).get('timeline')"

BASKET = {
    "app": {"name": "Gallery"},
    "machine": {"type": "Machines.BasketRecording", "module": "Machines", "name": "basket",
                "kind": "reducer", "make": "Machines.BasketRecording.make()"},
    "started": "2026-05-01T08:00:00Z",
    "outputs": {"total": "ui", "count": "ui"},
    "format": 1,
}

# Four are put in, and the first one is taken out again.
NAMES = ["apple", "bread", "cake", "dates"]
GONE = 5
LAST = 6


def item(place):
    return {"id": place, "name": NAMES[place - 1], "cents": 100 * place, "discount": 0}


def basket_lines():
    """Entries 1 to 4 put in one each, 5 takes the apple out, 6 discounts the bread."""
    items = []
    for seq in range(LAST + 1):
        entry = {"seq": seq, "t": seq * 1_000}
        if 1 <= seq <= len(NAMES):
            items = [*items, item(seq)]
            entry["event"] = {"added": {"_0": item(seq)}}
        elif seq == GONE:
            items = items[1:]
            entry["event"] = {"removed": {"id": 1}}
        elif seq == LAST:
            items = [items[0] | {"discount": 50}, *items[1:]]
            entry["event"] = {"discounted": {"id": 2, "cents": 50}}
        total = sum(one["cents"] - one["discount"] for one in items)
        state, outputs = {"items": items, "totalCents": total}, {"total": total, "count": len(items)}
        if seq == 0:
            yield entry | {"state": state, "outputState": outputs}
        else:
            yield entry | {"patch": replaced({"": state}),
                           "outputs": replaced({f"/{name}": outputs[name] for name in outputs})}


def replaced(values):
    return [{"op": "replace", "path": path, "value": values[path]} for path in values]


class Reordering(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path = cls.in_folder("basket.timeline")
        with open(path, "w", encoding="utf-8") as file:
            for line in [BASKET | {"timeline": str(uuid.uuid4())}, *basket_lines()]:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
        cls.basket = cls.import_file(path)

    def by_key(self, page, before):
        page.keyboard.press("o")
        page.keyboard.type(str(before))
        page.keyboard.press("Enter")

    def by_pointer(self, page, before):
        page.locator('.row.on:visible').click(button="right")
        page.locator("tt-entry-menu [data-command=move-before]").click()
        page.locator(".palette input").fill(str(before))
        page.locator(".palette [role=option]").click()

    def moves(self, move):
        """Moves entries, checks their positions and the results, and undoes each move."""
        page = self.open_coin(self.basket, 1)
        before = self.lines_of(self.basket)
        for seq, place, lands, names in (
                (3, 1, 1, ["cake", "bread", "dates"]),
                (2, 5, 4, ["cake", "dates", "bread"]),
                (GONE, 1, 1, ["apple", "bread", "cake", "dates"]),
                (1, LAST + 1, LAST, ["bread", "cake", "dates", "apple"])):
            with self.subTest(seq=seq, before=place):
                self.go(page, seq)
                move(page, place)
                self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
                self.until(page, f"parent => {TIMELINE} !== parent", self.basket)
                self.wait_for_seq(page, lands)
                branch = page.evaluate(TIMELINE)
                # All of it is computed, and the page knows.
                self.comes(page, lambda: "computing" not in self.summary(branch),
                           "the branch is computed")
                self.until(page, "last => +document.querySelector('.slider').ariaValueMax === last",
                           LAST)
                parent = self.summary(branch)["header"]["parent"]
                self.assertEqual(
                    (parent["timeline"], parent["edits"]),
                    (self.basket, [{"move": seq, "before": place}]))
                # The event is there, and the host has run all of them in their new order.
                events = self.events(branch)
                self.assertEqual(events[lands], self.events(self.basket)[seq])
                self.assertEqual(len(events), LAST + 1)
                state = self.daemon.json("state", branch, LAST)["state"]
                self.assertEqual([one["name"] for one in state["items"]], names)
                page.keyboard.press("End")
                self.wait_for_seq(page, LAST)
                self.has_text(page, "tt-outputs", f"{state['totalCents']}")
                page.keyboard.press("u")
                self.until(page, "() => document.querySelector('tt-branch-strip').hidden")
        self.assertEqual(self.lines_of(self.basket), before)

    def events(self, timeline):
        """The events by their place, none at the first entry."""
        entries = [json.loads(line) for line in self.lines_of(timeline).splitlines()[1:]]
        return [one.get("event") for one in entries if "seq" in one]

    def test_moves_by_key(self):
        self.moves(self.by_key)

    def test_moves_by_the_pointer(self):
        self.moves(self.by_pointer)

    def test_moves_by_the_palette(self):
        page = self.open_coin(self.basket, 4)
        self.command(page, "move before")
        page.keyboard.type("2")
        self.has_text(page, ".palette [role=option]", "Move 4 before 2")
        page.keyboard.press("Enter")
        self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
        self.wait_for_seq(page, 2)

    def test_reports_invalid_input(self):
        page = self.open_coin(self.basket, 3)
        page.keyboard.press("o")
        self.has_text(page, ".palette .pane-note", "Move entry 3 before which entry? 7 moves it to the end")
        # It is reported once: the field itself only describes its input.
        self.assertEqual(page.locator(".palette input").evaluate(
            "field => Object.values(field.attributes).filter((a) => a.value === 'Entry').length"), 1)
        for typed, words in (
                ("0", "The first entry stays first. Type a number from 1 to 6"),
                ("3", "Entry 3 cannot be moved before itself."),
                ("4", "Entry 3 is already before 4."),
                ("8", "There is no entry 8."),
                ("soon", "This is not an entry number.")):
            page.locator(".palette input").fill(typed)
            self.has_text(page, ".palette .pane-note", words)
            page.keyboard.press("Enter")
            self.assertEqual(page.locator(".palette [role=option]").count(), 0)
        page.keyboard.press("Escape")
        self.go(page, 0)
        page.keyboard.press("o")
        page.wait_for_selector(".notice:has-text('The first entry has no event')")
        self.assertTrue(page.locator("tt-branch-strip").is_hidden())


if __name__ == "__main__":
    unittest.main()
