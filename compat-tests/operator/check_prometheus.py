"""Checks standard input as `promtool check metrics` does: Prometheus's own Python client parses it, each metric has a help and a type,
counters end in _total, names and units are in base form, histograms add up, and no sample comes twice.

check_prometheus.py [METRIC…]: these metrics must exist. Prints the number of samples.
"""

import sys

from prometheus_client.parser import text_string_to_metric_families

text = sys.stdin.read()
assert text.endswith("\n"), "no newline at the end"
families = {family.name: family for family in text_string_to_metric_families(text)}
seen = set()
for family in families.values():
    assert family.documentation, f"{family.name}: no HELP"
    assert family.type in ("counter", "gauge", "histogram"), f"{family.name}: {family.type}"
    assert family.name == family.name.lower() and not family.name.endswith(("_milliseconds", "_microseconds", "_us", "_ms"))
    for sample in family.samples:
        key = (sample.name, tuple(sorted(sample.labels.items())))
        assert key not in seen, f"twice: {key}"
        seen.add(key)
        assert sample.value >= 0, sample
        if family.type == "counter":
            assert sample.name.endswith("_total"), sample
    if family.type == "histogram":
        series = {}
        for sample in family.samples:
            labels = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
            series.setdefault(labels, []).append(sample)
        for labels, samples in series.items():
            buckets = [(float(s.labels["le"]), s.value) for s in samples if s.name.endswith("_bucket")]
            assert buckets == sorted(buckets), f"{family.name}{labels}: bounds"
            assert all(a[1] <= b[1] for a, b in zip(buckets, buckets[1:])), f"{family.name}{labels}: not cumulative"
            count = next(s.value for s in samples if s.name.endswith("_count"))
            assert buckets[-1] == (float("inf"), count), f"{family.name}{labels}: +Inf isn't the count"
            assert any(s.name.endswith("_sum") for s in samples), f"{family.name}{labels}: no sum"
missing = [name for name in sys.argv[1:] if name.removesuffix("_total") not in families and name not in families]
assert not missing, f"missing: {missing}"
print(len(seen), "samples")
