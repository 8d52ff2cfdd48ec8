"""Runs blocks through a lane's twins, several at a time."""

import os
import queue
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import block as block_module
from . import report, state
from .recording import Recording
from .scenario import Block
from .verdict import Verdict
from .ways import REFERENCE, Folder, Twin, Way

ATTEMPTS = 3  # of a block that differs


@dataclass
class Choice:
    """The ways of a run, and which of them a block goes through."""

    ways: list[Way]
    applies: Callable[[Block, Way], bool] = lambda block, way: True


class _Job(threading.Thread):
    """A set of twins of its own, which takes blocks from the queue."""

    def __init__(self, blocks: queue.Queue, lane: str, choice: Choice, folder: Folder, reader: state.Reader):
        super().__init__()
        self.blocks, self.lane = blocks, lane
        self.reference = Twin(REFERENCE, folder)
        self.choice = choice
        self.twins = [Twin(way, folder) for way in choice.ways]
        self.reader = reader
        self.recording = folder.recording
        self.results: list[tuple[int, list[Verdict]]] = []
        self.error: BaseException | None = None

    def _verdicts(self, block: Block) -> list[Verdict]:
        """A difference must be repeatable: the kernel does some things at times of its own (link watch, routes of a
        device that comes up). A block that differs runs again in fresh namespaces, and that it did is reported."""
        twins = [twin for twin in self.twins if self.choice.applies(block, twin.way)]
        for attempt in range(1, ATTEMPTS + 1):
            verdicts = block_module.run(block, self.lane, self.reference, twins, self.reader, self.recording)
            if not any(map(report.failed, verdicts)):
                break
            if attempt < ATTEMPTS:
                print(f"again: {block.file}: {block.title}", flush=True)
        return verdicts

    def run(self):
        try:
            while True:
                number, block = self.blocks.get_nowait()
                self.results.append((number, self._verdicts(block)))
        except queue.Empty:
            pass
        except BaseException as error:  # shown by the main thread
            self.error = error
        finally:
            for twin in (self.reference, *self.twins):
                twin.worker.stop()


def run(
    blocks: list[Block], lane: str, choice: Choice, jobs: int | None, recording: Recording | None = None, unknown: Path | None = None
) -> list[Verdict]:
    waiting: queue.Queue = queue.Queue()
    for entry in enumerate(blocks):
        waiting.put(entry)
    with tempfile.TemporaryDirectory(prefix="nlsh-compat-") as path:
        folder, reader = Folder(Path(path), recording, unknown), state.Reader(Path(path))
        threads = [_Job(waiting, lane, choice, folder, reader) for _ in range(jobs or os.cpu_count() or 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for thread in threads:
        if thread.error:
            raise thread.error
    results = sorted((entry for thread in threads for entry in thread.results), key=lambda entry: entry[0])
    return [verdict for _, verdicts in results for verdict in verdicts]
