"""A headless Chromium, driven through chromedriver by the WebDriver protocol. Needs no package of Python."""
import atexit
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1")
KEYS = {"Home": "\ue011", "End": "\ue010", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "ArrowUp": "\ue013",
        "ArrowDown": "\ue015", "Tab": "\ue004", "Enter": "\ue007", "Space": " "}


class Browser:
    """One window. Commands raise RuntimeError with the driver's message when they fail."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.folder = tempfile.mkdtemp()
        # A group of its own, so that no browser is left when the driver dies or a test is interrupted.
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
        atexit.register(self.kill)
        try:
            self._start()
        except BaseException:
            self.kill()
            raise

    def _start(self):
        self._wait_for_driver()
        options = {"args": [*ARGUMENTS, f"--user-data-dir={self.folder}"], "binary": shutil.which("chromium")}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL",
                                                                                             "browser": "ALL"}}
        made = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{made['sessionId']}"

    def _wait_for_driver(self):
        for _ in range(600):
            try:
                if self._send("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def _send(self, method: str, path: str, body: dict | None = None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise RuntimeError(json.load(fault)["value"]["message"]) from None

    def kill(self):
        """Ends the driver and all browsers that it started."""
        atexit.unregister(self.kill)
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self):
        try:
            self._send("DELETE", self.session)
        finally:
            self.kill()

    def before_each_page(self, code: str) -> str:
        """Runs the code before the scripts of each page that is opened; returns what `no_longer` takes."""
        return self.command("Page.addScriptToEvaluateOnNewDocument", source=code)["identifier"]

    def no_longer(self, identifier: str):
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def open(self, address: str):
        # A new document, even if only the hash differs.
        self._send("POST", f"{self.session}/url", {"url": "about:blank"})
        self.log("performance")
        self._send("POST", f"{self.session}/url", {"url": address})

    def script(self, code: str, *arguments):
        """The value that the body of a function returns."""
        return self._send("POST", f"{self.session}/execute/sync", {"script": code, "args": list(arguments)})

    def value(self, expression: str, *arguments):
        return self.script(f"return {expression}", *arguments)

    def count(self, selector: str) -> int:
        """The number of elements that match."""
        return self.value("document.querySelectorAll(arguments[0]).length", selector)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that match."""
        return self.value("[...document.querySelectorAll(arguments[0])].map(each => each.textContent)", selector)

    def text(self, selector: str) -> str:
        """The text of the first element that matches."""
        return self.value("document.querySelector(arguments[0]).textContent", selector)

    def wait_for(self, expression: str, *arguments):
        """The first true value of the expression."""
        for _ in range(400):
            if value := self.value(expression, *arguments):
                return value
            time.sleep(0.05)
        raise RuntimeError(f"never true: {expression}")

    def wait_until_there(self, selector: str):
        self.wait_for("document.querySelector(arguments[0]) !== null", selector)

    def open_what_if(self):
        """Of a finding's page with a module: opens the part that changes its scenario."""
        self.click("#what-if > summary")
        self.wait_until_there("#reset")

    def put(self, selector: str, value):
        """Gives a control a value, as typing does."""
        self.script("const control = document.querySelector(arguments[0]); control.focus(); control.value = arguments[1];"
                    "control.dispatchEvent(new Event('input'))", selector, value)

    def awaited(self, code: str, *arguments):
        """The value that the script passes to its last argument, a function."""
        return self._send("POST", f"{self.session}/execute/async", {"script": code, "args": list(arguments)})

    def press(self, *keys: str):
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._send("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector: str):
        found = self._send("POST", f"{self.session}/element", {"using": "css selector", "value": selector})
        self._send("POST", f"{self.session}/element/{next(iter(found.values()))}/click", {})

    def command(self, name: str, **parameters):
        """A command of Chromium's own protocol."""
        return self._send("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def size(self, width: int, height: int):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)

    def prefer(self, colours: str = "light", motion: str = "no-preference"):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours},
                                                             {"name": "prefers-reduced-motion", "value": motion}])

    def log(self, kind: str) -> list[dict]:
        """The entries since the last call."""
        return self._send("POST", f"{self.session}/se/log", {"type": kind})

    def errors(self) -> list[dict]:
        """What the console shows as an error since the log was read last."""
        return [each for each in self.log("browser") if each["level"] == "SEVERE"]

    def requests(self) -> tuple[list[str], list[str]]:
        """The addresses that the page asked for since it was opened; and those that its own policy refused."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        asked = {event["params"]["requestId"]: event["params"]["request"]["url"] for event in events
                 if event["method"] == "Network.requestWillBeSent"}
        refused = [asked[event["params"]["requestId"]] for event in events
                   if event["method"] == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp"]
        return list(asked.values()), refused

    def screenshot(self, file, whole: bool = True):
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_bytes(base64.b64decode(shot["data"]))
