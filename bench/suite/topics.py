"""The topics, in the report's order."""

from . import batches, calls, clients, gaps, growth, libraries, namespaces, processes, scale, sequence, shows, transports, ways

TOPICS = {
    "calls-10": calls.Calls(links=10),
    "calls-1000": calls.Calls(links=1000),
    "namespaces": namespaces.Namespaces(),
    "gaps": gaps.Gaps(),
    "growth": growth.Growth(few=10, many=4000),
    "libraries": libraries.Libraries(),
    "transports": transports.Transports(),
    "echo": transports.Echo(),
    "clients": clients.Clients(),
    "processes": processes.Processes(),
    "ways": ways.Ways(),
    "batch": batches.Batches(),
    "shows": shows.Shows(),
    "scale": scale.Scale(),
    "sequence": sequence.Sequence(
        "A daemon adds devices as vlanmgrd adds VLANs (macvlan stands in)",
        sequence.stand_in_rows,
        filtering=False,
        count=4000,
        quick_count=50,
    ),
    "vlans": sequence.Sequence(
        "VLANs, as vlanmgrd adds them: SONiC's operations (User-Mode Linux)",
        sequence.vlan_rows,
        filtering=True,
        count=100,
        quick_count=3,
        needs_guest=True,
    ),
    "vlans-4000": sequence.Sequence(
        "4000 VLANs, as vlanmgrd adds them (User-Mode Linux)",
        sequence.many_vlans_rows,
        filtering=True,
        count=4000,
        quick_count=4,
        needs_guest=True,
    ),
}
