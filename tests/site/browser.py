# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that a test controls by the DevTools protocol over a pair of pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


def find_chromium():
    """Returns the path of the browser; None if it is not installed."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Browser:
    """One page of a browser. A failed command raises RuntimeError."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="cubind-browser-")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        # The browser reads descriptor 3 and writes descriptor 4. Copies above 9 first, because the pipes may have these numbers.
        def place_pipes():
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            reading, writing = [os.dup2(each, 20 + index) for index, each in enumerate((reading, writing))]
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.received, self.last, self.session = b"", 0, None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)  # the browser ends when its pipe does
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.into)
        self.folder.cleanup()

    def receive(self):
        while b"\0" not in self.received:
            part = os.read(self.into, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            message = self.receive()
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        self.call("Page.navigate", url=url)
        self.run("new Promise(done => document.readyState === 'complete' && location.href !== 'about:blank' ? done() : "
                 "addEventListener('load', () => done()))")

    def run(self, expression):
        """Returns the value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def show_as(self, width, height, scheme):
        """Sets the size in pixels of the window, and "light" or "dark"."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
