"""The verdict on a line or on a block's end state."""

from dataclasses import dataclass

IDENTICAL = "identical"
MASKED = "masked"
FALLBACK = "fallback"
UNREACHED = "not reached by the shim"
DEVIATION = "known deviation"
DIFFERENT = "different"
COULD_NOT_RUN = "could not run"
ALL = (IDENTICAL, MASKED, FALLBACK, UNREACHED, DEVIATION, DIFFERENT, COULD_NOT_RUN)


@dataclass(frozen=True)
class Verdict:
    lane: str
    way: str
    block: str
    where: str  # the line, or "state" or "witness"
    number: int
    verdict: str
    detail: str = ""
