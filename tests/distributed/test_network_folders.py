"""Tests with a folder that behaves like a folder on NFS: with its locks, without locks, and with appends that are not atomic."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, contents, recipe, run, skip_if

HERE = Path(__file__).parent
COMPILER = shutil.which("cc") or shutil.which("gcc")


@skip_if(COMPILER is None or not sys.platform.startswith("linux"), "network folders need Linux and a C compiler")
class NetworkFolderTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="test-network-folders-")
        self.addCleanup(scratch.cleanup)
        self.work = Path(scratch.name)
        library = self.work / "network_folder.so"
        command = [COMPILER, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, HERE / "network_folder.c", "-ldl"]
        subprocess.run(command, check=True)
        self.preload = {"LD_PRELOAD": str(library)}

    def start(self, *words: object, **variables: str) -> subprocess.Popen[str]:
        env = os.environ | self.preload | variables
        return subprocess.Popen([PROGRAM, *map(str, words)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, child: subprocess.Popen[str], code: int = 0) -> str:
        out, err = child.communicate(timeout=300)
        self.assertEqual(child.returncode, code, err)
        return out

    def test_the_folder_refuses_what_nfs_refuses(self) -> None:
        """Tests the replacement for NFS. If it did not work, the other tests would prove nothing."""
        script = (
            "import errno, fcntl, os, sys\n"
            "for flags, lock in ((os.O_WRONLY, fcntl.LOCK_SH), (os.O_RDONLY, fcntl.LOCK_EX)):\n"
            "    try:\n"
            "        fcntl.flock(os.open(sys.argv[1], flags), lock)\n"
            "    except OSError as error:\n"
            "        print(errno.errorcode[error.errno])\n"
        )
        path = self.work / "file"
        path.touch()
        for variables, answer in (({}, "EBADF\nEBADF\n"), ({"NO_LOCKS": "1"}, "ENOLCK\nENOLCK\n")):
            env = os.environ | self.preload | variables
            result = subprocess.run([sys.executable, "-c", script, path], env=env, check=True, capture_output=True, text=True)
            self.assertEqual(result.stdout, answer)

    def test_processes_that_share_a_folder_make_the_corpus_of_one_machine(self) -> None:
        wanted = recipe(self.work, 24, 20, techniques="singles")
        one = self.work / "one"
        run("run", wanted, "--out", one, "--quiet")
        for name, variables in (("locks", {}), ("none", {"NO_LOCKS": "1"})):
            with self.subTest(locks=name):
                shared = self.work / f"shared-{name}"
                parts = [f"{first}..{first + 7}" for first in (0, 4, 8, 12, 16)]
                children = [self.start("run", wanted, "--out", shared, "--quiet", "--parts", of, **variables) for of in parts]
                for child in children:
                    self.finish(child)
                self.finish(self.start("run", wanted, "--out", shared, "--quiet", **variables))
                self.assertTrue(contents(shared) == contents(one))
                self.finish(self.start("verify", shared, **variables))

    def test_a_corpus_is_published_and_remembered(self) -> None:
        wanted = recipe(self.work, 2, 40, techniques="singles")
        run("run", wanted, "--out", self.work / "corpus", "--quiet")
        words = ["export", self.work / "corpus", "--count", 20, "--except", self.work / "index", "--remember", self.work / "index"]
        lines = []
        for number in range(2):
            out = self.work / f"{number}.txt"
            self.finish(self.start(*words, "--out", out, "--format", "lines"))
            lines.append(set(out.read_text().splitlines()))
        self.assertEqual([len(some) for some in lines], [20, 20])
        self.assertFalse(lines[0] & lines[1])
        # Without locks, two commands could publish the same puzzles.
        refused = self.start(*words, "--out", self.work / "3.txt", "--format", "lines", NO_LOCKS="1")
        self.assertIn("no locks", refused.communicate(timeout=300)[1])
        self.assertEqual((refused.returncode, (self.work / "3.txt").exists()), (1, False))

    def test_a_night(self) -> None:
        wanted = recipe(self.work, 2, 20, techniques="singles")
        with wanted.open("a") as file:
            file.write('[[output]]\ncommand = "export"\ncount = 10\nout = "puzzles.sdm"\n')
        for name, variables, code in (("locks", {}, 0), ("none", {"NO_LOCKS": "1"}, 1)):
            with self.subTest(locks=name):
                nights = self.work / f"nights-{name}"
                self.finish(self.start("nightly", wanted, nights, "--night", "2026-11-22", **variables), code)
                if code:
                    # What a night published is remembered, and without locks nothing is published.
                    self.assertIn("no locks", (nights / "2026-11-22" / "night.log").read_text())
                else:
                    puzzles = (nights / "2026-11-22" / "outputs" / "puzzles.sdm").read_text().split()
                    self.assertEqual(len(puzzles), 10, json.loads((nights / "last.json").read_text()))


if __name__ == "__main__":
    unittest.main()
