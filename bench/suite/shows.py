"""Shows of large tables, compared with the real tools and the kernel's bare dump."""

import shlex

from . import measurement, namespace

ADDRESSES = 4  # addresses of each link


def add_routes(numbers):
    measurement.configure([f"route add 20.{i >> 16 & 255}.{i >> 8 & 255}.{i & 255} via 10.0.0.9 dev v1" for i in numbers])


def fill(routes, links, entries):
    namespace.standard()
    namespace.many_links(links)
    measurement.configure(
        [f"addr add 10.{64 + each}.{i // 250}.{1 + i % 250}/32 dev other{i}" for i in range(links) for each in range(ADDRESSES)]
    )
    add_routes(range(routes))
    text = "".join(f"fdb add 02:00:00:{i >> 16 & 255:02x}:{i >> 8 & 255:02x}:{i & 255:02x} dev v0 master static\n" for i in range(entries))
    measurement.run("bridge", "-batch", "-", input=text)


def row(name, line, environment, runs):
    ways = measurement.calls(line, environment, runs, runs)
    del ways["plain system"], ways["nlsh system"], ways["pipe"]
    ways["real"] = measurement.hyperfine(line, runs, warmup=1)
    ways["nlsh -c"] = measurement.hyperfine(shlex.join([measurement.NLSH, "-c", line]), runs, warmup=1)
    return {"name": name, "line": line, "native": measurement.native(line), "ways": ways}


class Shows:
    def measure(self, quick):
        routes, most_routes, links, entries = measurement.size(
            quick, (200_000, 1_000_000, 4000, 20000), (20000, 40000, 200, 2000), (2000, 4000, 20, 200)
        )
        runs = measurement.size(quick, 10, 3, 2)
        fill(routes, links, entries)
        with measurement.server() as environment:
            rows = [
                row(name, line, environment, runs)
                for name, line in {
                    f"{routes} routes": "ip route show",
                    f"{links} links, {ADDRESSES * links} addresses": "ip addr show",
                    f"{links} links, details": "ip -d link show",
                    f"{entries} fdb entries": "bridge fdb show",
                    f"{ADDRESSES * links} addresses, JSON": "ip -j addr show",
                    f"{entries} fdb entries, JSON": "bridge -j fdb show",
                }.items()
            ]
            add_routes(range(routes, most_routes))
            for name, line in (("", "ip route show"), (", JSON", "ip -j route show")):
                rows.append(row(f"{most_routes} routes{name}", line, environment, (runs + 1) // 2))
        namespace.remove_links()
        return {
            "title": "Shows of large tables",
            "ways": ["real", "nlsh -c", "plain popen", "nlsh popen", "raw"],
            "ratios": [["real", "nlsh -c"], ["plain popen", "nlsh popen"], ["nlsh popen", "raw"]],
            "rows": rows,
        }
