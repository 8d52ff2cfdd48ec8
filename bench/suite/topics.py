"""The topics, in the report's order."""
from . import batches, calls, clients, libraries, processes, sequence, shows, transports

TOPICS = {
    "calls-10": calls.Calls(links=10),
    "calls-1000": calls.Calls(links=1000),
    "libraries": libraries.Libraries(),
    "transports": transports.Transports(),
    "echo": transports.Echo(),
    "clients": clients.Clients(),
    "processes": processes.Processes(),
    "batch": batches.Batches(),
    "shows": shows.Shows(),
    "sequence": sequence.Sequence(),
}
