"""Counts what one `swift test` ran, XCTest and Swift Testing together.

usage: count_swift_tests.py STATUS OUTPUT REPORT

STATUS is what `swift test` ended with, OUTPUT the file with all that it printed, REPORT Swift
Testing's report in xUnit form. Prints what a process that died had been running, then the counts,
and ends with a status other than 0 when anything failed.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree


def xctest(output):
    """Passed, failed and skipped of XCTest, and the test in which it died."""
    counts = {word: 0 for word in ("passed", "failed", "skipped")}
    running = []
    for name, word in re.findall(
        r"^Test Case '(.+?)' (started|passed|failed|skipped)\b", output, re.MULTILINE
    ):
        if word == "started":
            running.append(name)
        else:
            counts[word] += 1
            if name in running:
                running.remove(name)
    return counts, running


def swift_testing(output, report):
    """Passed, failed and skipped of Swift Testing, and the tests in which it died.

    The report is exact, but incomplete if the process crashes; then the printed output counts.
    """
    counts = {word: 0 for word in ("passed", "failed", "skipped")}
    try:
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        running = []
        for name, word in re.findall(
            r"^[^\w\s] +Test (?!run with|case )(.+?) (?:with \d+ test cases )?"
            r"(started\.|passed after|failed after|skipped\b)",
            output,
            re.MULTILINE,
        ):
            if word == "started.":
                running.append(name)
            else:
                counts[word.split()[0]] += 1
                if name in running:
                    running.remove(name)
        return counts, [name for name in running if name != "run"]
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            counts["failed"] += 1
            # The name for `swift test --filter`, which runs it again.
            print(f"again: {case.get('classname')}/{case.get('name', '').partition('(')[0]}")
        elif case.find("skipped") is not None:
            counts["skipped"] += 1
        else:
            counts["passed"] += 1
    return counts, []


def main():
    status, output_path, report = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    with open(output_path, encoding="utf-8", errors="replace") as file:
        output = file.read()
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for counts, running in (xctest(output), swift_testing(output, report)):
        for word, count in counts.items():
            total[word] += count
        if running:
            print("The test process died while these were running:")
            print("\n".join(f"  {name}" for name in running))
            total["failed"] += 1
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    sys.exit(1 if total["failed"] else status)


main()
