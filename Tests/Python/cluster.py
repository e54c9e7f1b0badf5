# SPDX-License-Identifier: MIT
"""Bakes with the workers of a cluster, all of which must be at an address, and compares with one process.

    python3 cluster.py SCHEDULER WORKERS_ADDRESS
"""
import sys

from distributed import Client

import murmuration.dask
from scenes import DOTS

with Client(sys.argv[1], timeout=30) as client:
    client.wait_for_workers(2, timeout=30)
    hosts = {worker["host"] for worker in client.scheduler_info()["workers"].values()}
    assert hosts == {sys.argv[2]}, hosts
    with DOTS.batch(0, 20_000) as batch:
        whole = batch.bake(120)
    array = murmuration.dask.bake(DOTS, 120, 20_000, chunks=(50, 3000))
    assert array.compute().tobytes() == whole.tobytes()
    print(f"cluster.py: {array.npartitions} chunks of workers at {sys.argv[2]} have the bits of one process")
