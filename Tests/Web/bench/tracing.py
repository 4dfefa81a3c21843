"""What a trace of Chromium says about a page's main thread."""

import bisect
import json

# Script, style and layout; whatever stands inside one of them is part of it.
WORK = {
    "FunctionCall", "EvaluateScript", "v8.evaluateModule", "EventDispatch", "FireAnimationFrame",
    "TimerFire", "RunMicrotasks",
    "BlinkScheduler_PerformMicrotaskCheckpoint", "ParseHTML", "UpdateLayoutTree", "Layout",
    "IntersectionObserverController::computeIntersections", "MinorGC", "MajorGC",
    "V8.GC_SCAVENGER", "V8.GCIncrementalMarking", "V8.GCFinalizeMC",
}

CATEGORIES = [
    "-*", "devtools.timeline", "v8", "toplevel", "disabled-by-default-devtools.timeline",
    "disabled-by-default-v8.gc", "blink.user_timing", "__metadata",
]


class Trace:
    """The events of the page's main thread, by their beginning, in microseconds."""

    def __init__(self, data):
        events = json.loads(data)
        events = events["traceEvents"] if isinstance(events, dict) else events
        threads = {
            (event["pid"], event["tid"]) for event in events
            if event.get("name") == "thread_name"
            and event["args"].get("name") == "CrRendererMain"
        }
        frames = {thread: 0 for thread in threads}
        for event in events:
            if event.get("name") == "FireAnimationFrame":
                frames[event["pid"], event["tid"]] = frames.get((event["pid"], event["tid"]), 0) + 1
        main = max(frames, key=frames.get)
        if not frames[main]:
            raise AssertionError("the trace holds no frame of the page")
        self.events = sorted(
            (event for event in events if (event.get("pid"), event.get("tid")) == main
             and event.get("ph") in ("X", "I", "R", "b")),
            key=lambda event: (event["ts"], -event.get("dur", 0)))

    def named(self, name):
        return [event for event in self.events if event["name"] == name]

    def work(self, since=0, until=float("inf")):
        """The outermost pieces of work as (begin, processor time) and (begin, time)."""
        end = 0
        for event in self.events:
            if event["name"] not in WORK or event.get("ph") != "X" or event["ts"] < end:
                continue
            end = event["ts"] + event["dur"]
            if since <= event["ts"] <= until:
                # The thread's own clock stands still while other programs have the processor.
                yield event["ts"], event.get("tdur", event["dur"]), event["dur"]

    def frames(self, since, until):
        """Milliseconds of work in each frame, of the thread's clock and of the wall's."""
        starts = [event["ts"] for event in self.named("AnimationFrame") if event["ph"] == "b"]
        starts = sorted({ts for ts in starts if since <= ts <= until})
        own, wall = [0.0] * len(starts), [0.0] * len(starts)
        for ts, processor, time in self.work(since, until):
            frame = bisect.bisect_right(starts, ts) - 1
            if frame >= 0:
                own[frame] += processor / 1e3
                wall[frame] += time / 1e3
        return own, wall

    def marks(self, name):
        """When `performance.mark(name)` was called."""
        return [event["ts"] for event in self.named(name)]

    def long_tasks(self, since, until, most=50_000):
        """Tasks of more than 50 ms, by the thread's own clock; in milliseconds."""
        return [
            event.get("tdur", event["dur"]) / 1e3
            for event in self.named("RunTask") + self.named("ThreadControllerImpl::RunTask")
            if since <= event["ts"] <= until and event.get("tdur", event.get("dur", 0)) > most
        ]
