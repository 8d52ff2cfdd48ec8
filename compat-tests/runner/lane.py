"""Runs blocks through a lane's twins, several at a time."""

import os
import queue
import tempfile
import threading
from pathlib import Path

from . import block as block_module
from . import state
from .scenario import Block
from .verdict import Verdict
from .ways import REFERENCE, Folder, Twin, Way


class _Job(threading.Thread):
    """A set of twins of its own, which takes blocks from the queue."""

    def __init__(self, blocks: queue.Queue, lane: str, ways: list[Way], folder: Folder,
                 reader: state.Reader):
        super().__init__()
        self.blocks, self.lane = blocks, lane
        self.reference = Twin(REFERENCE, folder)
        self.twins = [Twin(way, folder) for way in ways]
        self.reader = reader
        self.results: list[tuple[int, list[Verdict]]] = []
        self.error: BaseException | None = None

    def run(self):
        try:
            while True:
                number, block = self.blocks.get_nowait()
                verdicts = block_module.run(block, self.lane, self.reference, self.twins, self.reader)
                self.results.append((number, verdicts))
        except queue.Empty:
            pass
        except BaseException as error:  # shown by the main thread
            self.error = error
        finally:
            for twin in (self.reference, *self.twins):
                twin.worker.stop()


def run(blocks: list[Block], lane: str, ways: list[Way], jobs: int | None) -> list[Verdict]:
    waiting: queue.Queue = queue.Queue()
    for entry in enumerate(blocks):
        waiting.put(entry)
    with tempfile.TemporaryDirectory(prefix="nlsh-compat-") as path:
        folder, reader = Folder(Path(path)), state.Reader(Path(path))
        threads = [_Job(waiting, lane, ways, folder, reader) for _ in range(jobs or os.cpu_count() or 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for thread in threads:
        if thread.error:
            raise thread.error
    results = sorted((entry for thread in threads for entry in thread.results), key=lambda entry: entry[0])
    return [verdict for _, verdicts in results for verdict in verdicts]
