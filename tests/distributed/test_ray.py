"""Tests of production on a Ray cluster of two nodes: drivers and nodes are killed, and the corpus is still that of one machine."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from support import PROGRAM, SCRIPTS, contents, needs, parts_in, recipe, run, runs_at_work, wait_until

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # with a higher value, workers would hardly run beside other programs
PARTS, ROWS = 20, 500


@needs("ray", "fsspec")
class RayTest(unittest.TestCase):
    cluster: Any
    work: Path

    @classmethod
    def setUpClass(cls) -> None:
        from ray.cluster_utils import Cluster

        scratch = tempfile.TemporaryDirectory(prefix="test-ray-")
        cls.addClassCleanup(scratch.cleanup)
        cls.work = Path(scratch.name)
        head = {"num_cpus": 1, "object_store_memory": 400 << 20, "include_dashboard": False}
        cls.cluster = Cluster(initialize_head=True, head_node_args=head)
        cls.addClassCleanup(cls.cluster.shutdown)

    def add_node(self) -> Any:
        node = self.cluster.add_node(num_cpus=1, object_store_memory=400 << 20)
        self.cluster.wait_for_nodes()
        return node

    def start(self, *words: object) -> subprocess.Popen[str]:
        command = [sys.executable, SCRIPTS / "ray_run.py", *words, "--address", self.cluster.address]
        command = [*map(str, command)] + ["--binary", PROGRAM] * ("--binary" not in words)
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        return child

    def finish(self, child: subprocess.Popen[str], code: int = 0) -> tuple[str, str]:
        out, err = child.communicate(timeout=300)
        self.assertEqual(child.returncode, code, err)
        return out, err

    def test_a_killed_driver_and_a_killed_node_lose_only_their_parts(self) -> None:
        wanted = recipe(self.work, PARTS, ROWS, techniques="default")
        one, many = self.work / "one", self.work / "many"
        run("run", wanted, "--out", one, "--quiet")
        node = self.add_node()

        driver = self.start(wanted, "--out", many)
        wait_until("two parts", lambda: parts_in(many) >= 2)
        driver.kill()
        driver.communicate()
        wait_until("its children end", lambda: not runs_at_work(str(many)), 30)
        there = parts_in(many)
        self.assertLess(there, PARTS, "the run was over before it was killed")

        driver = self.start(wanted, "--out", many)
        wait_until("three more parts", lambda: parts_in(many) >= there + 3)
        self.cluster.remove_node(node, allow_graceful=False)
        # This is checked after the kill, so the rest was made without that node. The number of nodes that the driver prints
        # proves nothing, because Ray may notice the loss of a node only after the run has ended.
        self.assertLess(parts_in(many), PARTS, "the run was over before its node was killed")
        out, err = self.finish(driver)
        self.assertIn(f"{PARTS} of {PARTS} parts", err)
        state = json.loads(out)
        self.assertEqual((state["parts"], state["missing"]), (PARTS, []))
        self.assertEqual(runs_at_work(str(many)), [], "nothing of the killed node is still at work")
        self.assertTrue(contents(many) == contents(one), "byte for byte what one machine makes")

        # A part that is damaged later is found and made again; the others are not.
        part = many / "rows" / "part-000003.parquet"
        part.write_bytes(part.read_bytes()[:-100])
        self.finish(self.start(wanted, "--out", many, "--quiet"))
        there = contents(many)
        self.assertIn("set-aside/part-000003.parquet", there)
        self.assertTrue({name: data for name, data in there.items() if not name.startswith("set-aside")} == contents(one))
        _, err = self.finish(self.start(recipe(self.work, 2, 10), "--out", many), code=2)
        self.assertIn("another recipe", err)

    @needs("moto", "s3fs")
    def test_parts_go_to_an_object_store(self) -> None:
        import s3fs
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = ThreadedMotoServer(port=0, verbose=False)
        server.start()
        self.addCleanup(server.stop)
        host, port = server.get_host_and_port()
        options = {"key": "test", "secret": "test", "client_kwargs": {"endpoint_url": f"http://{host}:{port}"}}
        store = s3fs.S3FileSystem(**options)
        store.mkdir("bucket")
        wanted = recipe(self.work, 5, 200)
        one, copy = self.work / "one-large", self.work / "copy"
        run("run", wanted, "--out", one, "--quiet")

        def make() -> str:
            words = ["--out", "s3://bucket/corpus", "--storage-options", json.dumps(options), "--ship"]
            return self.finish(self.start(wanted, *words))[1]

        make()
        store.invalidate_cache()
        store.get("bucket/corpus/", str(copy), recursive=True)
        self.assertTrue(contents(copy) == contents(one), f"{contents(copy).keys()}")
        self.assertNotIn("rows a second", make(), "a complete corpus is left alone")
        lost = next(name for name in store.find("bucket/corpus") if "part-000002" in name)
        store.rm(lost)
        make()
        store.invalidate_cache()
        self.assertEqual(store.cat_file(lost), contents(one)[lost.removeprefix("bucket/corpus/")])

    def test_a_worker_that_fails_is_tried_again_and_its_message_is_told(self) -> None:
        """Two nodes, and a program that fails for one part: once, always, and before it says which version it is."""
        wanted = recipe(self.work, 4, 20)
        one = self.work / "one-small"
        run("run", wanted, "--out", one, "--quiet")
        node = self.add_node()
        self.addCleanup(self.cluster.remove_node, node)
        marker, flaky = self.work / "failed", self.work / "flaky"
        for name, when, code, told in (
            ("once", f"{marker} ] && touch {marker}", 0, "part 2 again: the disk is full"),
            ("always", "/nonexistent ]", 1, "part 2, after 4 tries: the disk is full"),
        ):
            fails = f'case "$*" in *"--parts 2 "*) [ ! -e {when} && {{ echo "the disk is full" >&2; exit 1; }};; esac'
            flaky.write_text(f'#!/bin/sh\n{fails}\nexec {PROGRAM} "$@"\n')
            flaky.chmod(0o755)
            out = self.work / f"flaky-{name}"
            _, err = self.finish(self.start(wanted, "--out", out, "--binary", flaky), code)
            self.assertIn(told, err)
            there = contents(out)
            self.assertTrue(all(contents(one)[file] == data for file, data in there.items() if file.startswith("rows/")))
            self.assertEqual(parts_in(out), 4 - code)
        # An error of the script itself keeps its message and its code on the way from the node.
        flaky.write_text(f'#!/bin/sh\n[ -e {marker}2 ] && {{ echo "no such recipe here" >&2; exit 2; }}\ntouch {marker}2\nexec {PROGRAM} "$@"\n')
        _, err = self.finish(self.start(wanted, "--out", self.work / "told", "--binary", flaky), code=2)
        self.assertIn("no such recipe here", err)

    def test_impossible_jobs_are_reported(self) -> None:
        bad = self.work / "bad.toml"
        bad.write_text("cuont = 3\n")
        self.assertIn("did you mean 'count'", self.finish(self.start(bad, "--out", self.work / "x"), code=2)[1])
        # 17 givens cannot be reached in two tries. The same would happen again, so there is no retry.
        bad.write_text('count = 3\n[dig]\nplan = "givens=17"\nretries = 1\n')
        _, err = self.finish(self.start(bad, "--out", self.work / "x"), code=2)
        self.assertIn("no puzzle with", err)
        self.assertNotIn(" again: ", err)


if __name__ == "__main__":
    unittest.main()
