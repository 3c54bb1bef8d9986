#!/usr/bin/env python3
"""Reads the index that pview keeps of a trace: see index.md.

    pview index run.prv
    python3 index.py run.prv.pvidx

Needs pyarrow and numpy; shows polars, pandas and DuckDB too where they are installed.
"""
import json
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

folder = pathlib.Path(sys.argv[1])


def table(name):
    """A file as an Arrow table whose columns lie in the mapped file: nothing is copied."""
    return pa.ipc.open_file(pa.memory_map(str(folder / name))).read_all()


meta = json.loads((folder / "meta.json").read_text())["index"]
unit = [1e-6, 1e-9, 1e-3][meta["header"]["unit"]]  # seconds
states, events, threads = table("states.arrow"), table("events.arrow"), table("threads.arrow")

# Rows lie thread after thread; the value of an event that has more than 31 bits lies in another file.
thread = np.repeat(threads["thread"], threads["events"])
value, large = events["value"].to_numpy().astype("int64"), table("large_values.arrow")["value"].to_numpy()
first = np.concatenate([[0], np.cumsum(threads["large_values"])])  # of each thread
beyond = value >= 2**31
value[beyond] = large[first[thread[beyond]] + value[beyond] - 2**31]
events = events.set_column(events.schema.get_field_index("value"), "value", [value]).append_column("thread", [thread])
print(f"{states.num_rows} states, {events.num_rows} events, {meta['sizes']['communications']} communications")

# Seconds in each state, over all threads. An end of -1 means: until the next state.
known = states.filter(pc.greater_equal(states["end"], 0))
known = known.append_column("time", pc.subtract(known["end"], known["begin"]))
names = dict(zip(*[c.to_pylist() for c in table("state_names.arrow").columns]))
for row in known.group_by("value").aggregate([("time", "sum")]).sort_by([("time_sum", "descending")]).to_pylist():
    print(f"{row['time_sum'] * unit:12.6f} s  {names.get(row['value'], row['value'])}")

try:
    import polars as pl
except ImportError:
    pass
else:
    print("\npolars: the events that occur most")
    print(pl.scan_ipc(folder / "events.arrow").group_by("type").len().sort("len", descending=True).head(5).collect())

try:
    import duckdb
except ImportError:
    pass
else:
    print("\nDuckDB: bytes that each thread sent")
    communications = table("communications.arrow")
    print(duckdb.sql("""
        select name, count(*) as messages, sum(size) as bytes
        from communications join threads on send_thread = thread
        group by name order by bytes desc limit 5"""))

try:
    import pandas
except ImportError:
    pass
else:
    print("\npandas: the first states")
    print(states.slice(0, 5).to_pandas())
