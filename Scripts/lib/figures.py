# SPDX-License-Identifier: MIT
"""Makes the section “Speed” of the README of the rows that Scripts/figures has measured: prints it, or with --write writes
it, the first figure of the README, and the bars of its chart.

    python3 Scripts/lib/figures.py FOLDER [--write]
"""
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys

SIZES = 10_000, 100_000, 1_000_000
SPEED = "Sources/Murmuration/Murmuration.docc/Resources/speed.svg"
# The label of a row, the row of `murmuration bench`, and the row in C beside it.
ROWS = [
    ("springs, one of its own for each track", "frame.mixed", "yardstick.libm"),
    ("springs in groups of 160 that set out together", "frame.cohorts-of-160", None),
    ("tracks of two components that follow goals, each with its exact step", "following.steps", "yardstick.follow.step"),
    (
        "springs of two components, of which a sixtieth, at random, gets new goals by one call: with call and copy",
        "sixtieth.spring.bulk.whole", "yardstick.sixtieth.bulk.whole"),
    ("eases of mixed curves and lengths, one on each track, values alone", "tweens.value", None),
    ("eighteen eases on top of each other, on each track of two components", "effects.all.frame", "yardstick.effects.18"),
    ("64 clips of 16 keyframes in turn, each track at another point", "clip.forward.velocity", None),
    ("1 000 instances of a rig of 99 components, each at another time (99 000 tracks)", "rig.25-keys.velocity", None),
]


def text(milliseconds):
    """Two digits that count."""
    places = max(0, 1 - math.floor(math.log10(milliseconds)))
    return f"{milliseconds:.{places}f}"


def generation(machine):
    """The processor in words: virtual machines often hide its name, and the family tells the design."""
    name, _, numbers = machine["processor"].partition(", family ")
    family = numbers.split(" ")[0]
    is_wide = "avx512" in machine["instructionSets"]
    designs = {"26": "Zen 5", "25": "Zen 4" if is_wide else "Zen 3", "23": "Zen 2"} if "AMD" in name else {}
    design = designs.get(family, f"family {numbers}")
    return f"{name} ({design})", f"{name} ({design}{', AVX-512' if is_wide else ''})"


class Figures:
    def __init__(self, folder):
        self.times, self.numpy = {}, {}
        for part in "kernels", "cohorts", "keyframes", "churn", "phases", "rigs":
            report = json.loads((folder / f"{part}.json").read_text())
            self.machine = report["machine"]
            for row in report["operations"]:
                self.times[row["name"], row["tracks"]] = row["nsPerTrack"] * row["called"] / 1e6
            for row in report["results"]:
                if row["name"].startswith("yardstick."):
                    self.times[row["name"], row["tracks"]] = row["nsPerTrack"] * row["tracks"] / 1e6
        for row in json.loads((folder / "numpy.json").read_text()):
            self.numpy[row["kind"]] = 1e3 * row["float32"]
            self.beside = row["tracks"]
        self.peers = json.loads((folder / "peers.json").read_text())
        self.name, self.long_name = generation(self.machine)

    def time(self, name, tracks):
        """Milliseconds of a frame; None if it was not measured. Rigs have a number of tracks of their own."""
        return self.times.get((name, 99_000 if name.startswith("rig.") and tracks == 100_000 else tracks))

    def others(self, name, in_c):
        """What else takes how long, for as many tracks as NumPy was given."""
        found = []
        if in_c and self.time(in_c, self.beside):
            found.append(("C", self.time(in_c, self.beside)))
        if name == "frame.mixed":
            found.append(("NumPy", self.numpy["mixed"]))
        if name == "tweens.value":
            found += self.peers.items()
        if name == "frame.cohorts-of-160":
            found.append(("NumPy, one group", self.numpy["cohort"]))
        if name.startswith("rig."):
            found.append(("a copy of as many bytes", self.times[f"{name}.copy", 99_000]))
        return found

    def section(self):
        """The section, without its heading."""
        bars = ", ".join(f"{bar['name'].split(',')[0]} {text(bar['value'])}" for bar in self.bars()["bars"])
        count = f"{self.beside:,}".replace(",", " ")
        lines = [
            f"![Milliseconds per frame of {count} springs: {bars}]({SPEED})", "",
            f"Milliseconds per frame on one core of an {self.long_name}, {datetime.date.today()}: whole frames with events, values",
            "and velocities, the fastest of many. `Scripts/figures` measures them; `Benchmarks/springs.json` names the bars' sources.",
            "",
            f"| | 10 000 | 100 000 | 1 000 000 | others, {count} |", "|---|---|---|---|---|"]
        for label, name, in_c in ROWS:
            own = [self.time(name, size) for size in SIZES]
            others = ", ".join(f"{other} {text(time)}" for other, time in self.others(name, in_c))
            lines.append(f"| {label} | " + " | ".join([text(time) if time else "" for time in own] + [others]) + " |")
        euler = [self.time("yardstick.euler.columns", size) for size in SIZES]
        lines += [
            "", f"A loop of your own (Euler over columns in C: {', '.join(text(time) for time in euler if time)}) is better"
            " where values only follow, and need not be exact.", ""]
        return "\n".join(lines)

    def bars(self):
        """The content of Benchmarks/springs.json."""
        revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
        tracks = self.beside
        others = [
            ("NumPy, float32 columns", self.numpy["mixed"], "Benchmarks/python/springs.py: exp, sin and cos of whole columns"),
            (
                "C, double (exp, sincos)", self.time("yardstick.libm", tracks),
                "murmuration bench --only kernels, yardstick.libm"),
        ]
        bars = [(
            "Murmuration, a spring each", self.time("frame.mixed", tracks),
            f"murmuration bench --only cohorts, frame.mixed, revision {revision.stdout.strip() or 'unknown'}")]
        bars += sorted(others, key=lambda bar: bar[1])
        return {
            "title": f"One frame of {tracks:,} springs, one core".replace(",", " ", 1),
            "unit": "milliseconds, logarithmic scale",
            "bars": [
                {"name": name, "value": float(f"{value:.3g}"), "source": source} for name, value, source in bars],
            "notes": [
                f"{self.long_name}, {self.machine['operatingSystem']}, one thread, {datetime.date.today()};"
                " the fastest of many.",
                "Murmuration shows values, velocities and events, NumPy values alone. All are closed forms.",
            ],
        }


def main():
    figures = Figures(pathlib.Path(sys.argv[1]))
    if "--write" not in sys.argv:
        print(figures.section())
        return
    if figures.beside != 100_000:
        sys.exit("figures: the last run was a quick one")
    bars = json.dumps(figures.bars(), indent=2, ensure_ascii=False)
    pathlib.Path("Benchmarks/springs.json").write_text(bars + "\n")
    page = pathlib.Path("README.md")
    readme, sections = re.subn(
        r"(?<=\n## Speed\n\n).*?(?=\n## )", lambda _: figures.section(), page.read_text(), count=1, flags=re.DOTALL)
    readme, firsts = re.subn(
        r"(\*\*a frame of 100 000 springs takes )[0-9.]+( ms\*\* on one core of an )[^.]+\)",
        lambda found: found[1] + text(figures.time("frame.mixed", 100_000)) + found[2] + figures.name, readme,
        count=1, flags=re.DOTALL)
    if (sections, firsts) != (1, 1):
        sys.exit("figures: the README has no section Speed, or no first figure")
    page.write_text(readme)


main()
