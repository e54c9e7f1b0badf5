# SPDX-License-Identifier: MIT
"""The work of Scripts/plant-faults, which describes its arguments. Run in the package's top folder."""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from fault_catchers import Catchers
from fault_copy import FaultyCopy
from fault_list import FaultError, areas, read_faults, spread

FAULTS = pathlib.Path("Scripts/lib/faults.txt")


def parse_arguments(known_areas):
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(prog="plant-faults", description="Plants faults and shows that each is caught.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--only", metavar="N[,N…]", help="these numbers of the table")
    choice.add_argument("--area", choices=known_areas, help="the faults of one area")
    choice.add_argument("--sample", type=int, metavar="N", help="so many, spread over the areas")
    choice.add_argument("--check", action="store_true", help="only whether every fault fits the sources")
    parser.add_argument("--disable-default-traits", action="store_true", help="build the copy without OpenBLAS")
    parser.add_argument("--scratch-path", type=pathlib.Path, metavar="FOLDER", help="keep the copy and its build there")
    return parser.parse_args()


def choose(faults, arguments):
    """Return the faults that were asked for."""
    if arguments.only:
        numbers = {int(number) for number in arguments.only.split(",") if number.isdecimal()}
        chosen = [fault for fault in faults if fault.number in numbers]
        if len(chosen) != len(arguments.only.split(",")):
            raise FaultError(f"--only takes different numbers in 1…{len(faults)}, not {arguments.only}")
        return chosen
    if arguments.area:
        return [fault for fault in faults if fault.area == arguments.area]
    if arguments.sample is not None:
        if not 1 <= arguments.sample <= len(faults):
            raise FaultError(f"--sample takes a number in 1…{len(faults)}, not {arguments.sample}")
        return spread(faults, arguments.sample)
    return faults


def report(fault, verdict, seconds):
    """Print the fault's rows of the table."""
    past = f"; mended once by {fault.history}" if fault.history else ""
    print(f"{fault.number:3}  {fault.area:<9}  {fault.text}")
    print(f"{'':16}{', '.join(fault.places)}{past}")
    answer = f"caught by {fault.catcher}" if verdict is None else f"NOT CAUGHT by {fault.catcher}: {verdict}"
    print(f"{'':16}{answer}, {seconds:.1f} s", flush=True)


def timed(catchers, fault):
    """Run the catcher of a fault; return its verdict and its duration in seconds."""
    start = time.monotonic()
    verdict = catchers.verdict(fault)
    return verdict, time.monotonic() - start


def run(planted, faults, folder, options):
    """Build the copy, and try the sources as they are and some faults. Return whether each fault is caught."""
    start = time.monotonic()
    copy = FaultyCopy(folder, planted, faults, options)
    copy.build()
    print(f"{len(planted)} faults planted and built in {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    catchers = Catchers(copy)
    print(f"The sources as they are: {catchers.check_unbroken(faults)}, {time.monotonic() - start:.1f} s\n", flush=True)
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for fault, (verdict, seconds) in zip(faults, pool.map(lambda fault: timed(catchers, fault), faults)):
            report(fault, verdict, seconds)
            missed += verdict is not None
    print(f"\nplant-faults: {len(faults) - missed} of {len(faults)} planted faults caught")
    return missed == 0


def main():
    """Run the command line, and return the exit status."""
    start = time.monotonic()
    # So that no folder is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        faults = read_faults(FAULTS)
        arguments = parse_arguments(areas(faults))
        # The check covers all faults, whichever are tried: a fault that no longer fits must be rewritten.
        FaultyCopy.check(faults)
        if arguments.check:
            counts = ", ".join(f"{area} {sum(fault.area == area for fault in faults)}" for area in areas(faults))
            print(f"plant-faults: {len(faults)} faults fit the sources: {counts}")
            return 0
        folder = arguments.scratch_path or pathlib.Path(tempfile.mkdtemp(prefix="plant-faults-"))
        try:
            options = ["--disable-default-traits"] if arguments.disable_default_traits else []
            passed = run(faults, choose(faults, arguments), folder.resolve(), options)
        finally:
            if not arguments.scratch_path:
                shutil.rmtree(folder, ignore_errors=True)
    except (FaultError, subprocess.SubprocessError, OSError) as error:
        print(f"plant-faults: {error}", file=sys.stderr)
        return 1
    print(f"plant-faults: {time.monotonic() - start:.0f} s in all")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
