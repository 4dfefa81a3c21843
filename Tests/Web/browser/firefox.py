"""Firefox, driven by WebDriver BiDi: only what the main paths need."""

import itertools
import json
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from axe_playwright_python.base import AXE_SCRIPT
from websockets.sync.client import connect

from access import RUN

# What fades in has too little contrast until it is there.
SETTLED = """document.getAnimations().every((one) => one.playState !== 'running' ||
  one.effect.getComputedTiming().endTime === Infinity)"""

# WebDriver's names of the keys that type nothing.
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010",
        "Shift": "\ue008", "Control": "\ue009"}


class Firefox:
    """A browser without a window; `with Firefox() as firefox` ends it."""

    def __init__(self, online=True):
        self.online = online

    def __enter__(self):
        # Processes that end with it may still write there.
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        if not self.online:
            # A proxy that does not exist, and no names: only this machine can be reached.
            pathlib.Path(self.profile.name, "user.js").write_text(
                'user_pref("network.dns.disabled", true);\n'
                'user_pref("network.proxy.type", 1);\n'
                'user_pref("network.proxy.http", "0.0.0.0");\n'
                'user_pref("network.proxy.http_port", 9);\n'
                'user_pref("network.proxy.ssl", "0.0.0.0");\n'
                'user_pref("network.proxy.ssl_port", 9);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile.name,
             "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox ended before it could be driven")
        # Firefox would stop when the pipe is full.
        threading.Thread(target=self.read_the_rest, daemon=True).start()
        # A busy machine answers late.
        self.socket = connect(
            f"{found.group(1)}/session", max_size=None, open_timeout=60, ping_interval=None)
        self.ids = itertools.count(1)
        self.events = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"]
                 + ([] if self.online else ["network.beforeRequestSent"]))
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def read_the_rest(self):
        with self.process.stderr as rest:
            rest.read()

    def ask(self, method, **parameters):
        """Sends a command; returns its result."""
        id = next(self.ids)
        self.socket.send(json.dumps({"id": id, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message.get("id") != id:
                self.events.append(message)
            elif message["type"] == "error":
                raise AssertionError(f"{method}: {message['message']}")
            else:
                return message["result"]

    def open(self, address, size=(1440, 860)):
        # A new profile: nothing is shared with the pages of other tests.
        user = self.ask("browser.createUserContext")["userContext"]
        context = self.ask("browsingContext.create", type="tab", userContext=user)["context"]
        self.ask("browsingContext.setViewport", context=context,
                 viewport={"width": size[0], "height": size[1]})
        page = Page(self, context)
        page.goto(address)
        return page

    def requests(self):
        """The addresses that pages requested; known if it was started without a network."""
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "network.beforeRequestSent"]

    def errors(self):
        """The errors of pages."""
        return [event["params"]["text"] for event in self.events
                if event.get("method") == "log.entryAdded" and event["params"]["level"] == "error"]


class Page:
    def __init__(self, firefox, context):
        self.firefox = firefox
        self.context = context

    def goto(self, address):
        self.firefox.ask(
            "browsingContext.navigate", context=self.context, url=address, wait="complete")

    def close(self):
        self.firefox.ask("browsingContext.close", context=self.context)

    def back(self):
        self.firefox.ask("browsingContext.traverseHistory", context=self.context, delta=-1)

    def evaluate(self, expression):
        """The value of an expression, through JSON."""
        result = self.run(f"JSON.stringify(({expression}) ?? null)")
        return json.loads(result["value"])

    def run(self, expression):
        answer = self.firefox.ask(
            "script.evaluate", expression=expression, target={"context": self.context},
            awaitPromise=True)
        if answer["type"] == "exception":
            raise AssertionError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"]

    def until(self, condition, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.evaluate(condition):
                return
            time.sleep(0.05)
        raise AssertionError(f"it did not come to this: {condition}")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent")

    def press(self, keys):
        """Presses a key, or several together: `Shift+ArrowDown`."""
        names = [KEYS.get(key, key) for key in (keys.split("+") if len(keys) > 1 else [keys])]
        self.act("key", [{"type": "keyDown", "value": name} for name in names]
                 + [{"type": "keyUp", "value": name} for name in reversed(names)])

    def type(self, text):
        for letter in text:
            self.press(letter)

    def click(self, selector, at=(0.5, 0.5)):
        """Clicks at the position of an element, as a user with a mouse does."""
        box = self.evaluate(
            f"(({{x, y, width, height}}) => [x, y, width, height])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        x, y = (round(box[axis] + box[axis + 2] * at[axis]) for axis in (0, 1))
        self.act("pointer", [{"type": "pointerMove", "x": x, "y": y},
                             {"type": "pointerDown", "button": 0},
                             {"type": "pointerUp", "button": 0}])

    def act(self, kind, actions):
        self.firefox.ask("input.performActions", context=self.context,
                         actions=[{"type": kind, "id": kind, "actions": actions}])

    def violations(self):
        """What axe finds in the page."""
        self.until(SETTLED)
        if self.evaluate("!window.axe"):
            self.run(AXE_SCRIPT + "; ''")
        found = self.run(f"({RUN})().then(JSON.stringify)")
        return [f'{one["id"]}: {one["nodes"][0]["html"][:160]}'
                for one in json.loads(found["value"])]

    def choose_file(self, selector, path):
        element = self.run(f"document.querySelector({json.dumps(selector)})")
        self.firefox.ask("input.setFiles", context=self.context,
                         element={"sharedId": element["sharedId"]}, files=[path])
