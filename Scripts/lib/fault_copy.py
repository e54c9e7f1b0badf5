# SPDX-License-Identifier: MIT
"""A copy of the sources in which faults are planted, and the programs built from it.

Every fault is asleep until the environment names its number: `FAULT` in its lines becomes a comparison with that
number. Kernels are inlined into modules of other instruction sets, and import only Swift and C: theirs is a C global.
"""
import os
import pathlib
import re
import shutil
import subprocess

from fault_list import FaultError

VARIABLE = "MURMURATION_PLANTED_FAULT"
KERNELS = "Kernels"

HEADER = """// SPDX-License-Identifier: MIT
extern int planted_fault_number;
static inline int planted_fault(void) { return planted_fault_number; }
"""

SOURCE = f"""// SPDX-License-Identifier: MIT
#include "planted_fault.h"
#include <stdlib.h>
int planted_fault_number;
__attribute__((constructor)) static void read_planted_fault(void) {{
  const char *text = getenv("{VARIABLE}");
  planted_fault_number = text ? atoi(text) : 0;
}}
"""

IN_KERNELS = """// SPDX-License-Identifier: MIT
public import CProcessor
@export(implementation) public var plantedFault: Int32 { @inline(__always) get { planted_fault() } }
"""

IN_MODULE = f"""// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
@usableFromInline let plantedFault = unsafe getenv("{VARIABLE}").map {{ unsafe atoi($0) }} ?? 0
"""

# The package of the copy has only the targets of tests that are run, and no programs or libraries that only others test.
FEWER_TESTS = """
let triedTests: [String] = [{names}]
package.targets.removeAll {{ $0.type == .test && !triedTests.contains($0.name) }}
for (tests, tested, products) in [
  ("MurmurationServeTests", ["MurmurationServe"], ["murmuration-serve"]),
  ("SurfaceTests", ["NativeSurface", "Surface", "CSurface"], ["murmuration-c"]), ("ExamplesTests", ["Examples"], []),
] where !triedTests.contains(tests) {{
  package.targets.removeAll {{ tested.contains($0.name) }}
  package.products.removeAll {{ products.contains($0.name) }}
}}
"""


class FaultyCopy:
    """A folder with the copy, and the programs built from it."""

    def __init__(self, folder, faults, tried, options=()):
        """A copy in which `faults` are planted, to run the catchers of those in `tried`; options of `swift build`."""
        self.tree = folder / "tree"
        self.faults = faults
        self.options = list(options)
        self.suites = {}
        for fault in tried:
            if tested := tested_suite(fault.catcher):
                self.suites.setdefault(tested[0], set()).add(tested[1])
        self.test_modules = sorted(self.suites)

    # MARK: Planting

    @staticmethod
    def check(faults):
        """Fail unless the lines of every edit are exactly once in their file, and no two edits share one."""
        changed_files(faults)

    def write(self):
        """Bring the copy up to date; files that are right already keep their dates."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached"], check=True, capture_output=True, text=True).stdout.split("\0")
        files = [pathlib.Path(path) for path in listed if path and os.path.lexists(path)]
        wanted = {str(path): path.read_bytes() for path in files if not path.is_symlink()}
        for path, lines in changed_files(self.faults).items():
            wanted[path] = "\n".join(lines).encode()
        for path, text in self.added(wanted).items():
            wanted[path] = text.encode()
        for module, suites in self.suites.items():
            tests = {path: text.decode() for path, text in wanted.items()
                     if path.startswith(f"Tests/{module}/") and path.endswith(".swift")}
            for path in tests.keys() - needed_tests(tests, suites):
                del wanted[path]
        links = {str(path): path.readlink() for path in files if path.is_symlink()}
        for path in [path for name in ["Sources", "Tests"] for path in (self.tree / name).rglob("*")]:
            if not path.is_dir() and str(path.relative_to(self.tree)) not in {**wanted, **links}:
                path.unlink()
        for path, content in wanted.items():
            target = self.tree / path
            if not target.exists() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            if os.path.exists(path):
                shutil.copymode(path, target)
        for path, goal in links.items():
            target = self.tree / path
            if not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(goal)

    def added(self, wanted):
        """Return the files that tell the modules which fault is awake, and the changed files that list them."""
        modules = {pathlib.Path(edit.path).parts[1] for fault in self.faults for edit in fault.edits}
        c = "Sources/CProcessor"
        module_map = wanted[f"{c}/include/module.modulemap"].decode()
        added = {
            f"{c}/include/planted_fault.h": HEADER, f"{c}/planted_fault.c": SOURCE,
            f"{c}/include/module.modulemap": module_map.replace("  export *", '  header "planted_fault.h"\n  export *'),
            f"Sources/{KERNELS}/PlantedFault.swift": IN_KERNELS,
        }
        for module in modules:
            if not module.startswith(KERNELS):
                added[f"Sources/{module}/PlantedFault.swift"] = IN_MODULE
        added["Package.swift"] = wanted["Package.swift"].decode() + FEWER_TESTS.format(
            names=", ".join(f'"{name}"' for name in self.test_modules))
        return added

    # MARK: Building

    def build(self):
        """Write and build the copy."""
        self.write()
        # Dependencies that are resolved already need not be fetched again.
        for part in ["checkouts", "repositories", "workspace-state.json"]:
            source, target = pathlib.Path(".build") / part, self.tree / ".build" / part
            if source.exists() and not target.exists():
                target.parent.mkdir(exist_ok=True)
                (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        what = ["--build-tests"] if self.test_modules else ["--product", "murmuration"]
        command = ["swift", "build", "--package-path", str(self.tree), "-debug-info-format", "none", *self.options, *what]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise FaultError(f"the copy does not build:\n{built.stdout[-8000:]}\n{built.stderr[-4000:]}")

    @property
    def tool(self):
        """The command-line tool."""
        return self.tree / ".build/debug/murmuration"

    @property
    def tests(self):
        """All tests."""
        return self.tree / ".build/debug/murmurationPackageTests.xctest"


def tested_suite(catcher):
    """Return the module and the suite of the test that a catcher names, or None if the catcher is not a test."""
    words = catcher.split()
    return re.split("[./]", words[-1])[:2] if "test" in words else None


def needed_tests(texts, suites):
    """Return those of a test target's files that some of its suites need.

    These are the files of the suites, all files without tests, and those whose types such files name.
    """
    # A type may have attributes, with or without arguments, and modifiers.
    opening = r"^(?:@?\w+(?:\(.*\))? )*(?:struct|class|enum|actor|protocol|typealias|extension) (\w+)"
    types = {path: set(re.findall(opening, text, re.MULTILINE)) for path, text in texts.items()}
    words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
    needed = {path for path, text in texts.items() if "@Test" not in text or types[path] & suites}
    added = needed
    while added:
        named = set().union(*(words[path] for path in added))
        added = {path for path in texts.keys() - needed if types[path] & named}
        needed = needed | added
    return needed


def changed_files(faults):
    """Return the lines of the files that faults are planted in."""
    originals, planted = {}, {}
    for fault in faults:
        fault.places = []
        for edit in fault.edits:
            lines = originals.setdefault(
                edit.path, pathlib.Path(edit.path).read_text(encoding="utf-8").split("\n"))
            first = place(fault, edit, lines)
            fault.places.append(f"{edit.path}:{first + 1}")
            new = [line.replace("FAULT", f"(plantedFault == {fault.number})") for line in edit.new]
            edits = planted.setdefault(edit.path, {})
            for index in range(first, first + len(edit.old)):
                if index in edits:
                    raise FaultError(
                        f"faults {edits[index][0]} and {fault.number} change line {index + 1} of {edit.path}")
                edits[index] = (fault.number, new if index == first else [])
    return {
        path: [line for index, old in enumerate(originals[path]) for line in edits.get(index, (0, [old]))[1]]
        for path, edits in planted.items()
    }


def place(fault, edit, lines):
    """Return the index of the first line that an edit replaces."""
    count = len(edit.old)
    found = [index for index in range(len(lines) - count + 1) if lines[index:index + count] == edit.old]
    if len(found) != 1:
        raise FaultError(
            f"fault {fault.number} fits {edit.path} {len(found)} times, not once; write it anew: {edit.old[0].strip()}")
    return found[0]
