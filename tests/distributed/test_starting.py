"""Tests of the ways to start a nightly run: the systemd units, and the line for cron in the guide."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, ROOT, SCRIPTS, pass_over, recipe

INSTALLED = "/usr/local/bin/sudoku-corpus"
PLACE = "/srv/sudoku"


class StartingTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="test-starting-")
        self.addCleanup(scratch.cleanup)
        self.work = Path(scratch.name)
        recipe(self.work, 2, 20, techniques="singles").rename(self.work / "night.toml")

    def here(self, text: str) -> str:
        """Replaces the installed paths in a text by the program and the folder of this test."""
        self.assertIn(INSTALLED, text)
        return text.replace(INSTALLED, str(Path(PROGRAM).resolve())).replace(PLACE, str(self.work))

    def start(self, command: str) -> None:
        """Runs a command as cron and systemd do: with few environment variables and an empty standard input."""
        env = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "HOME": str(self.work), "LOGNAME": "sudoku"}
        result = subprocess.run(["/bin/sh", "-c", command], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=self.work)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.work / "nights" / "latest" / "rows" / "part-000000.parquet").exists())

    def test_systemd_accepts_the_units(self) -> None:
        if shutil.which("systemd-analyze") is None:
            pass_over("systemd-analyze is not installed")
        units = []
        for name in ("sudoku-nightly.service", "sudoku-nightly.timer", "sudoku-nightly-failed.service"):
            units.append(self.work / name)
            text = (SCRIPTS / "systemd" / name).read_text()
            units[-1].write_text(self.here(text) if name == "sudoku-nightly.service" else text)
        result = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        # systemd-analyze prints the fault, but its exit code does not show it.
        units[0].write_text(units[0].read_text().replace("Type=oneshot", "Type=once"))
        result = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
        self.assertIn("once", result.stderr)

    def test_the_command_of_the_service_makes_a_night(self) -> None:
        text = (SCRIPTS / "systemd" / "sudoku-nightly.service").read_text()
        (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
        self.start(self.here(command))

    def test_the_line_for_cron_makes_a_night(self) -> None:
        guide = (ROOT / "src" / "guide" / "nights.md").read_text()
        (line,) = re.findall(r"^\*\*cron\*\*[^\n]*\n\n```text\n(.*)\n```", guide, re.MULTILINE)
        minute, hour, *others, command = line.split(None, 5)
        self.assertTrue(0 <= int(minute) < 60 and 0 <= int(hour) < 24 and others == ["*"] * 3, line)
        self.assertNotIn("%", command)  # cron ends a command there
        self.start(self.here(command))


if __name__ == "__main__":
    unittest.main()
