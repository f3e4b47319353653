"""A headless Chromium, by Selenium, with what the tests of pages ask of it."""
import atexit
import base64
import contextlib
import json
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.remote_connection import RemoteConnection

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1")
KEYS = {"Home": "\ue011", "End": "\ue010", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "ArrowUp": "\ue013",
        "ArrowDown": "\ue015", "Tab": "\ue004", "Enter": "\ue007", "Space": " "}


class Browser(webdriver.Chrome):
    """One window. Commands raise WebDriverException with the driver's message when they fail."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        # A group of its own, so that no browser is left when the driver dies or a test is interrupted.
        self.group = Service("chromedriver", popen_kw={"start_new_session": True})
        atexit.register(self.kill)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in (*ARGUMENTS, f"--user-data-dir={self.folder}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        RemoteConnection.set_timeout(300)
        super().__init__(service=self.group, options=options)

    def kill(self):
        """Ends the driver and all browsers that it started."""
        atexit.unregister(self.kill)
        if process := getattr(self.group, "process", None):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self):
        try:
            self.quit()
        finally:
            self.kill()

    def before_each_page(self, code: str) -> str:
        """Runs the code before the scripts of each page that is opened; returns what `no_longer` takes."""
        return self.command("Page.addScriptToEvaluateOnNewDocument", source=code)["identifier"]

    def no_longer(self, identifier: str):
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def open(self, address: str):
        # A new document, even if only the hash differs.
        self.get("about:blank")
        self.get_log("performance")
        self.get(address)

    def script(self, code: str, *arguments):
        """The value that the body of a function returns."""
        return self.execute_script(code, *arguments)

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
        return self.execute_async_script(code, *arguments)

    def press(self, *keys: str):
        webdriver.ActionChains(self).send_keys(*(KEYS.get(key, key) for key in keys)).perform()

    def click(self, selector: str):
        self.find_element(By.CSS_SELECTOR, selector).click()

    def command(self, name: str, **parameters):
        """A command of Chromium's own protocol."""
        return self.execute_cdp_cmd(name, parameters)

    def size(self, width: int, height: int):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)

    def prefer(self, colours: str = "light", motion: str = "no-preference"):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours},
                                                             {"name": "prefers-reduced-motion", "value": motion}])

    def errors(self) -> list[dict]:
        """What the console shows as an error since the log was read last."""
        return [each for each in self.get_log("browser") if each["level"] == "SEVERE"]

    def requests(self) -> tuple[list[str], list[str]]:
        """The addresses that the page asked for since it was opened; and those that its own policy refused."""
        events = [json.loads(entry["message"])["message"] for entry in self.get_log("performance")]
        asked = {event["params"]["requestId"]: event["params"]["request"]["url"] for event in events
                 if event["method"] == "Network.requestWillBeSent"}
        refused = [asked[event["params"]["requestId"]] for event in events
                   if event["method"] == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp"]
        return list(asked.values()), refused

    def screenshot(self, file, whole: bool = True):
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_bytes(base64.b64decode(shot["data"]))
