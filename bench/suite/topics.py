"""The topics, in the report's order."""
from . import batches, calls, processes, sequence, shows

TOPICS = {
    "calls-10": calls.Calls(links=10),
    "calls-1000": calls.Calls(links=1000),
    "processes": processes.Processes(),
    "batch": batches.Batches(),
    "shows": shows.Shows(),
    "sequence": sequence.Sequence(),
}
