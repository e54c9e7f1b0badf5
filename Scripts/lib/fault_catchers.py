# SPDX-License-Identifier: MIT
"""Runs the catcher of a planted fault: a check of `murmuration verify`, or a test."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from fault_copy import VARIABLE
from fault_list import FaultError

# Seconds after which a program counts as hanging: many times the duration of any of them, also on a busy machine.
PATIENCE = 900
# Kernels of the set that every processor has, and fewer springs than a user would draw.
VERIFY = ["verify", "--isa", "portable", "--samples"]
# Few draws find most faults of kernels. With many draws such a fault fails many programs, and each of them is shortened.
FEW_SAMPLES, MANY_SAMPLES = "100", "6000"


class Catchers:
    """The catchers of faults in a copy that was built."""

    def __init__(self, copy):
        self.copy = copy

    # MARK: Verdicts

    def verdict(self, fault):
        """Return None if a fault's catcher catches it, otherwise what happened instead."""
        way, name = parse(fault.catcher)
        if way == "verify":
            ended, failed = self.verify(fault.number, FEW_SAMPLES)
            if not any(is_named(one, name) for one in failed):
                ended, failed = self.verify(fault.number)
        else:
            ended, failed = self.test([name], fault.number)[:2]
        others = sorted(one for one in failed if not is_named(one, name))
        failed = {one for one in failed if is_named(one, name)}
        if way == "trap":
            return None if ended == "trap" else f"it {ended}"
        if way == "hang":
            return None if ended == "hang" else f"it {ended}"
        # The printed checks of a kernel count, even if a broken kernel ends the program later.
        if ended in ("trap", "hang") and not (way == "verify" and failed):
            return f"it ended with a {ended}, which the entry has to say"
        return None if failed else f"it {ended} without a failure there" + "".join(f", but of {one}" for one in others)

    def check_unbroken(self, faults):
        """Fail unless everything passes with no fault awake; return the names of what passed."""
        names = sorted({name for way, name in (parse(fault.catcher) for fault in faults) if way != "verify"})
        passed = []
        if any(parse(fault.catcher)[0] == "verify" for fault in faults):
            ended, failed = self.verify(0)
            if failed or ended != "passed":
                raise FaultError(f"verify {ended} with the sources as they are: {', '.join(failed)}")
            passed.append("verify passes")
        if names:
            ended, failed, ran, output = self.test(names, 0)
            if failed or ended != "passed":
                raise FaultError(f"tests {ended} with the sources as they are: {', '.join(failed)}\n{output[-4000:]}")
            for name in names:
                if not any(is_named(test, name) for test in ran):
                    raise FaultError(f"no test is named {name}")
            passed.append(f"{len(ran)} tests pass")
        return " and ".join(passed)

    # MARK: Programs

    def run(self, command, number):
        """Run a program with a fault awake; return how it ended and what it printed."""
        environment = {**os.environ, VARIABLE: str(number), "SWIFT_BACKTRACE": "enable=no"}
        with subprocess.Popen(
                command, env=environment, cwd=self.copy.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True) as program:
            try:
                output = program.communicate(timeout=PATIENCE)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                # Together with the programs that it started itself.
                os.killpg(program.pid, signal.SIGKILL)
                return "hang", program.communicate()[0].decode(errors="replace")
        ended = "trap" if program.returncode < 0 else "passed" if program.returncode == 0 else "failed"
        return ended, output

    def verify(self, number, samples=MANY_SAMPLES):
        """Run the tool's own check; return how it ended and the names of the checks that failed."""
        ended, output = self.run([str(self.copy.tool), *VERIFY, samples], number)
        failed = re.findall(r"^FAIL (\S+)", output, flags=re.MULTILINE)
        if ended == "failed" and not failed:
            raise FaultError(f"verify ended without a verdict:\n{output[-4000:]}")
        return ended, failed

    def test(self, names, number):
        """Run some tests; return how the run ended, the tests that failed, those that ran, and the output."""
        pattern = "|".join(f"^{re.escape(name)}[/(.]" for name in names)
        with tempfile.TemporaryDirectory() as folder:
            events = pathlib.Path(folder) / "events"
            ended, output = self.run(
                [str(self.copy.tests), "--testing-library", "swift-testing", "--filter", pattern,
                 "--event-stream-output-path", str(events), "--event-stream-version", "0"], number)
            lines = events.read_text(encoding="utf-8").splitlines() if events.exists() else []
        failed, ran = set(), set()
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                # The last line of a program that ended early.
                continue
            payload = record.get("payload", {})
            if record.get("kind") != "event" or "testID" not in payload:
                continue
            if payload["kind"] == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                failed.add(payload["testID"])
            if payload["kind"] == "testEnded" and "/" in payload["testID"]:
                ran.add(payload["testID"])
        return ended, failed, ran, output


def parse(catcher):
    """Return the kind of a catcher, and the name of its check or test."""
    words = catcher.split()
    if words[0] == "verify" and len(words) == 2:
        return "verify", words[1]
    if words[0] == "test" and len(words) == 2:
        return "test", words[1]
    if words[0] in ("trap", "hang") and words[1:3] == ["in", "test"] and len(words) == 4:
        return words[0], words[3]
    raise FaultError(f"“{catcher}” is none of: verify CHECK, test NAME, trap in test NAME, hang in test NAME")


def is_named(test, name):
    """Whether an identifier names the given test, or a test within the given suite."""
    return test == name or test.startswith((f"{name}/", f"{name}(", f"{name}."))
