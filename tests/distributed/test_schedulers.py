"""Tests of the templates for Slurm and Kubernetes. They need neither Slurm nor Kubernetes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, SCRIPTS, contents, needs, parts_in, pass_over, recipe, run, wait_until

SLURM = SCRIPTS / "slurm_array.sh"
KUBERNETES = SCRIPTS / "kubernetes_job.yaml"


class SchedulerTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="test-schedulers-")
        self.addCleanup(scratch.cleanup)
        self.work = Path(scratch.name)
        self.recipe = recipe(self.work, 7, 40)
        self.one, self.out = self.work / "one", self.work / "corpus"
        run("run", self.recipe, "--out", self.one, "--quiet")


class SlurmTest(SchedulerTest):
    def setUp(self) -> None:
        super().setUp()
        # Replaces Slurm's own command and records its arguments.
        self.asked = self.work / "asked"
        scontrol = self.work / "bin" / "scontrol"
        scontrol.parent.mkdir()
        scontrol.write_text(f'#!/bin/sh\necho "$@" >>{self.asked}\n')
        scontrol.chmod(0o755)

    def start(self, *words: str, **variables: object) -> subprocess.Popen[str]:
        known = {"PROGRAM": PROGRAM, "RECIPE": self.recipe, "OUT": self.out, "TASKS": 3, "SLURM_ARRAY_JOB_ID": 99}
        path = {"PATH": f"{self.work / 'bin'}:{os.environ['PATH']}"}
        env = os.environ | path | {name: str(value) for name, value in (known | variables).items()}
        return subprocess.Popen([SLURM, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_the_tasks_of_an_array_on_different_processors_make_every_part_once(self) -> None:
        lines = []
        for task, processor in ((0, "portable"), (1, "avx2"), (2, "avx512")):
            child = self.start(SLURM_ARRAY_TASK_ID=task, SUDOKU_CORPUS_INSTRUCTIONS=processor)
            out, err = child.communicate()
            self.assertEqual(child.returncode, 0, err)
            lines += out.splitlines()
        self.assertEqual(len(lines), 7)
        self.assertEqual(parts_in(self.out), 7)
        # A part that is lost is made by the last job.
        (self.out / "rows/part-000003.parquet").unlink()
        last = self.start("last")
        _, err = last.communicate()
        self.assertEqual(last.returncode, 0, err)
        self.assertTrue(contents(self.out) == contents(self.one))
        self.assertFalse(self.asked.exists())

    def test_arrays_with_gaps_and_more_tasks_than_parts_make_every_part_once(self) -> None:
        for array in ((9, 3, 17), range(0, 20, 2), range(1, 20, 2)):  # --array=3,9,17 comes first, then the rest
            for task in array:
                gaps = {"SLURM_ARRAY_TASK_MIN": min(array), "SLURM_ARRAY_TASK_COUNT": len(array)}
                child = self.start(SLURM_ARRAY_TASK_ID=task, TASKS=20, **gaps)
                _, err = child.communicate()
                self.assertEqual(child.returncode, 0, err)
        self.assertTrue(contents(self.out) == contents(self.one))
        beyond = self.start(SLURM_ARRAY_TASK_ID=20, TASKS=20)
        beyond.communicate()
        self.assertEqual((beyond.returncode, self.asked.exists()), (2, False))

    def test_exit_codes_decide_whether_a_task_runs_again(self) -> None:
        one_task = {"SLURM_ARRAY_TASK_ID": 0, "TASKS": 1}
        hopeless = self.start(**one_task, RECIPE=self.work / "nowhere.toml")
        hopeless.communicate()
        self.assertEqual((hopeless.returncode, self.asked.exists()), (2, False))
        absent = self.start(**one_task, PROGRAM=self.work / "nowhere")
        absent.communicate()
        self.assertEqual((absent.returncode, self.asked.exists()), (127, False))
        failing = self.start(**one_task, OUT="/proc/nowhere")
        failing.communicate()
        self.assertEqual((failing.returncode, self.asked.read_text()), (0, "requeue 99_0\n"))
        tired = self.start(**one_task, OUT="/proc/nowhere", SLURM_RESTART_COUNT=3)
        tired.communicate()
        self.assertEqual(tired.returncode, 1)

    def test_the_signal_before_the_time_limit_stops_the_program_and_the_task_runs_again(self) -> None:
        self.recipe = recipe(self.work, 100_000, 40)
        child = self.start(SLURM_ARRAY_TASK_ID=0, TASKS=1)
        wait_until("the first part", lambda: parts_in(self.out) > 1)
        child.send_signal(signal.SIGTERM)  # to the shell alone, as --signal=B:TERM@60 does
        _, err = child.communicate(timeout=60)
        self.assertEqual(self.asked.read_text(), "requeue 99_0\n", err)
        self.assertIn("exit code 4", err)

    def test_the_script_is_clean(self) -> None:
        for script in SCRIPTS.glob("*.sh"):
            subprocess.run(["bash", "-n", script], check=True, cwd=SCRIPTS.parent)
        if shutil.which("shellcheck") is None:
            pass_over("shellcheck is not installed")
        subprocess.run(["shellcheck", "-x", SLURM, SCRIPTS / "test_distributed.sh"], check=True, cwd=SCRIPTS.parent)


@needs("kubernetes_validate", "yaml")
class KubernetesTest(SchedulerTest):
    def setUp(self) -> None:
        super().setUp()
        import yaml

        self.job, self.last = yaml.safe_load_all(KUBERNETES.read_text())

    def test_the_schema_of_kubernetes_accepts_every_object(self) -> None:
        import kubernetes_validate

        for version in ("1.33", "1.37"):
            for item in (self.job, self.last):
                kubernetes_validate.validate(item, version, strict=True)
        self.job["spec"]["backoffLimitPerIndex"] = "three"
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(self.job, "1.33", strict=True)

    def command(self, item: dict, **variables: object) -> int:
        """Runs the command of a container here, as Kubernetes does: without a shell, and with the values of `$(NAME)`.
        Returns the exit code."""
        (container,) = item["spec"]["template"]["spec"]["containers"]
        known = {entry["name"]: entry["value"] for entry in container.get("env", [])} | variables
        places = {"/recipe/recipe.toml": str(self.recipe), "/corpus": str(self.out)}
        words = container["command"]
        for there, here in places.items():
            words = [word.replace(there, here) for word in words]
        for name, value in known.items():
            words = [word.replace(f"$({name})", str(value)) for word in words]
        # The image holds nothing but the program.
        self.assertEqual(words[0], "sudoku-corpus")
        self.assertFalse([word for word in words if "$" in word])
        binaries = self.work / "bin"
        binaries.mkdir(exist_ok=True)
        if not (binaries / "sudoku-corpus").exists():
            (binaries / "sudoku-corpus").symlink_to(Path(PROGRAM).resolve())
        return subprocess.run(words, env={"PATH": str(binaries)}, capture_output=True).returncode

    def test_the_indices_make_every_part_and_the_last_job_confirms_it(self) -> None:
        for index in range(3):
            self.assertEqual(self.command(self.job, COMPLETIONS=3, JOB_COMPLETION_INDEX=index), 0)
        self.assertEqual(parts_in(self.out), 7)
        self.assertEqual(self.command(self.last), 0)
        self.assertTrue(contents(self.out) == contents(self.one))

    def test_the_image_needs_nothing_but_the_program(self) -> None:
        """A root that holds the program, its libraries if it has any, and the two volumes. The user of the pods may write to the
        volume of the corpus only."""
        if os.geteuid() != 0 or shutil.which("chroot") is None:
            self.skipTest("chroot needs root")
        root = self.work / "root"
        libraries = re.findall(r"(/\S+) \(0x", subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout)
        for file in libraries:
            (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, root / file[1:])
        for folder in ("usr/local/bin", "recipe", "corpus"):
            (root / folder).mkdir(parents=True)
        shutil.copy2(PROGRAM, root / "usr/local/bin/sudoku-corpus")
        shutil.copy2(self.recipe, root / "recipe/recipe.toml")
        self.work.chmod(0o755)
        os.chown(root / "corpus", 65532, 65532)

        def start(item: dict, index: int = 0) -> int:
            (container,) = item["spec"]["template"]["spec"]["containers"]
            values = {"$(COMPLETIONS)": "3", "$(JOB_COMPLETION_INDEX)": str(index)}
            words = container["command"]
            for name, value in values.items():
                words = [word.replace(name, value) for word in words]
            user = item["spec"]["template"]["spec"]["securityContext"]
            command = ["chroot", f"--userspec={user['runAsUser']}:{user['runAsGroup']}", root, *words]
            result = subprocess.run(command, env={"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/bin"}, capture_output=True)
            return result.returncode

        self.assertEqual([start(self.job, index) for index in range(3)] + [start(self.last)], [0, 0, 0, 0])
        self.assertTrue(contents(root / "corpus") == contents(self.one))

    def test_every_exit_code_has_a_rule(self) -> None:
        rules = self.job["spec"]["podFailurePolicy"]["rules"]
        answers = {code: rule["action"] for rule in rules for code in rule.get("onExitCodes", {}).get("values", [])}
        self.assertEqual(answers, {2: "FailIndex", 3: "FailIndex", 4: "Ignore"})
        names = {rule["onExitCodes"]["containerName"] for rule in rules if "onExitCodes" in rule}
        self.assertEqual(names, {self.job["spec"]["template"]["spec"]["containers"][0]["name"]})
        self.recipe = self.work / "nowhere.toml"
        self.assertEqual(self.command(self.job, COMPLETIONS=3, JOB_COMPLETION_INDEX=0), 2)
        variables = {entry["name"]: entry["value"] for entry in self.job["spec"]["template"]["spec"]["containers"][0]["env"]}
        self.assertEqual(int(variables["COMPLETIONS"]), self.job["spec"]["completions"])


if __name__ == "__main__":
    unittest.main()
