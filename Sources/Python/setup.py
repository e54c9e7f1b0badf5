# SPDX-License-Identifier: MIT
"""Refuses to make a package without its library, which could be installed and not be imported."""
import pathlib
import sys

from setuptools import setup

if not (pathlib.Path(__file__).parent / "murmuration" / "libmurmuration-c.so").exists():
    sys.exit(
        "murmuration: this folder has no library for C, so the package would not work. Scripts/build-wheel builds both: run "
        "it, and install .build/wheel/murmuration-*.whl")
setup()
