"""The charts of docs/performance.md show what was measured."""

import importlib.machinery
import importlib.util
import pathlib
import re
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def charts():
    loader = importlib.machinery.SourceFileLoader("charts", str(ROOT / "scripts" / "charts"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("charts", loader))
    loader.exec_module(module)
    return module


def measurements(module):
    return {name.format(key): 2.0 * index + 1
            for chart in module.CHARTS.values() for _, name in chart["lines"]
            for index, (key, _, _) in enumerate(chart["places"])}


class Charts(unittest.TestCase):
    def setUp(self):
        self.charts = charts()
        self.values = measurements(self.charts)

    def parsed(self, values=None):
        return {name: xml.fromstring(text)
                for name, text in self.charts.charts(values or self.values).items()}

    def test_each_is_there_in_both_themes(self):
        names = self.charts.charts(self.values)
        self.assertEqual(len(names), 2 * len(self.charts.CHARTS))
        for chart in self.charts.CHARTS:
            self.assertIn(f"{chart}-light.svg", names)
            self.assertIn(f"{chart}-dark.svg", names)

    def test_each_measurement_is_a_point(self):
        points = sum(len(image.findall(f"{SVG}circle")) for image in self.parsed().values())
        self.assertEqual(points, 2 * len(self.values))

    def test_higher_values_are_higher_up(self):
        for image in self.parsed().values():
            heights = [float(point.get("cy")) for point in image.findall(f"{SVG}circle")]
            count = len(set(point.get("cx") for point in image.findall(f"{SVG}circle")))
            for start in range(0, len(heights), count):
                line = heights[start:start + count]
                self.assertEqual(line, sorted(line, reverse=True))

    def test_everything_is_inside(self):
        for image in self.parsed(self.values | {"curves.seek_p99_ms_10m": 12_345}).values():
            for point in image.findall(f"{SVG}circle"):
                self.assertTrue(0 < float(point.get("cy")) < self.charts.HEIGHT)

    def test_labels_do_not_overlap(self):
        for image in self.parsed({name: 5.0 for name in self.values}).values():
            ends = [float(text.get("y")) for text in image.findall(f"{SVG}text")
                    if text.get("fill") not in ("#1f2328", "#f0f6fc", "#59636e", "#9198a1")]
            self.assertGreater(len(ends), 2)
            self.assertTrue(all(abs(one - other) >= 15 for place, one in enumerate(ends)
                                for other in ends[:place]))

    def test_missing_measurements_are_named(self):
        values = {name: value for name, value in self.values.items() if "patch" not in name}
        with self.assertRaisesRegex(SystemExit, "curves.patch_us_"):
            self.charts.charts(values)

    def test_every_metric_is_measured(self):
        source = (ROOT / "Sources/Benchmarks/Curves/CurvesGroup.swift").read_text()
        for chart in self.charts.CHARTS.values():
            for key, _, _ in chart["places"]:
                self.assertIn(f'"{key}"', source)
            for _, name in chart["lines"]:
                stem = re.escape(name.removesuffix("{}"))
                self.assertRegex(source, stem)


if __name__ == "__main__":
    unittest.main()
