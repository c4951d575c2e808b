#!/usr/bin/env python3
"""Computes means from the replicate weights of `stats --replicates` with samplics and with R's survey, and compares them with `stats`.

    scripts/check_replicates.py PROGRAM

Then it fits a line with statsmodels, as `guide statistics` shows, and compares its errors with those of the formula of the slope. What is
not installed is skipped, and a line says so; if REQUIRE_TOOLS is set, that is an error. Exit codes: 0 all agree, 1 some differ.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

FIGURES = "givens, search_nodes AS nodes, substr(puzzle, 1, 1) = '.' AS blank"
R_CODE = """
library(survey)
rows <- read.csv("rows.csv")
replicates <- sum(grepl("^replicate_", names(rows)))
design <- svrepdesign(data = rows, weights = ~weight, repweights = "^replicate_", type = "JK1",
                      scale = (replicates - 1) / replicates, combined.weights = TRUE)
found <- svymean(~givens + nodes + blank, design)
cat(format(c(coef(found), SE(found)), digits = 15), "\\n")
"""
skipped = []
differ = []


def same(what, value, expected, near=1e-6):
    """Compares a number with that of `stats`."""
    agrees = abs(value - expected) <= near * max(1e-9, abs(expected))
    print(f"{'same  ' if agrees else 'DIFFER'} {what}: {value:.9g}, stats {expected:.9g}")
    if not agrees:
        differ.append(what)


def by_samplics(case, rows, stats):
    from samplics.estimation import ReplicateEstimator
    from samplics.utils.types import PopParam, RepMethod

    names = [name for name in rows.columns if name.startswith("replicate_")]
    for figure, (value, error) in stats.items():
        mean = ReplicateEstimator(RepMethod.jackknife, PopParam.mean)
        weights = {"samp_weight": rows["weight"].to_numpy(), "rep_weights": rows[names].to_numpy()}
        mean.estimate(y=rows[figure].to_numpy().astype(float), rep_coefs=(len(names) - 1) / len(names), **weights)
        same(f"{case}: samplics: {figure}", float(mean.point_est), value)
        same(f"{case}: samplics: error of {figure}", float(mean.stderror), error)


def by_statsmodels(case, rows, stats):
    """A regression on a constant is a mean; a line on two groups has their difference as its slope."""
    import numpy
    import statsmodels.api as sm

    names = [name for name in rows.columns if name.startswith("replicate_")]
    scale = (len(names) - 1) / len(names)

    def jackknife(fit):
        parts = numpy.array([fit(rows[name].to_numpy()) for name in names])
        return fit(rows["weight"].to_numpy()), numpy.sqrt(scale * ((parts - parts.mean(axis=0)) ** 2).sum(axis=0))

    givens, blank = rows["givens"].to_numpy(), rows["blank"].to_numpy()
    whole, errors = jackknife(lambda weights: sm.WLS(givens, numpy.ones(len(givens)), weights).fit().params)
    same(f"{case}: statsmodels: givens", whole[0], stats["givens"][0])
    same(f"{case}: statsmodels: error of givens", errors[0], stats["givens"][1])
    line, errors = jackknife(lambda weights: sm.WLS(givens, sm.add_constant(blank), weights).fit().params)

    def difference(weights):
        of = [numpy.average(givens[blank == group], weights=weights[blank == group]) for group in (0, 1)]
        return numpy.array([of[1] - of[0]])

    expected, error = jackknife(difference)
    same(f"{case}: the slope of a line on two groups", line[1], expected[0])
    same(f"{case}: its error", errors[1], error[0])


def by_r(case, folder, stats):
    words = ["Rscript", "-e", R_CODE]
    found = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-6:]
    for at, (figure, (value, error)) in enumerate(stats.items()):
        same(f"{case}: R: {figure}", float(found[at]), value)
        same(f"{case}: R: error of {figure}", float(found[at + 3]), error)


def has_r():
    code = "quit(status = !requireNamespace('survey', quietly = TRUE))"
    return shutil.which("Rscript") and subprocess.run(["Rscript", "-e", code], capture_output=True, check=False).returncode == 0


def main():
    program = os.path.abspath(sys.argv[1])
    warnings.simplefilter("ignore")
    folder = tempfile.mkdtemp()

    def run(*words):
        return subprocess.run([program, *words, "--quiet"], cwd=folder, check=True, capture_output=True, text=True).stdout

    run("run", "--board", "4x4", "--count", "1500", "--weight", "--out", "four")
    for case, options in [("weighted", ["--grid", "puzzle"]), ("grids", []), ("unweighted", ["--unweighted"])]:
        answer = json.loads(run("stats", FIGURES, "four", *options, "--replicates", "rows.csv", "--force", "--format", "json"))
        wanted = {"mean", "share true"}
        found = [figure for figure in answer["figures"] if figure["statistic"] in wanted]
        stats = {figure["figure"]: (figure["estimate"], figure["standard_error"]) for figure in found}
        assert list(stats) == ["givens", "nodes", "blank"], answer
        try:
            import polars

            rows = polars.read_csv(os.path.join(folder, "rows.csv"), infer_schema_length=None)
            by_samplics(case, rows, stats)
            by_statsmodels(case, rows, stats)
        except ImportError as missing:
            skipped.append(f"Python: {missing}; pip install -r scripts/python/requirements-figures.txt")
        if has_r():
            by_r(case, folder, stats)
        else:
            skipped.append("R: Rscript with the package survey is not installed")
    shutil.rmtree(folder)
    for what in dict.fromkeys(skipped):
        print(f"SKIPPED: {what}", file=sys.stderr)
    return 1 if differ or (skipped and os.environ.get("REQUIRE_TOOLS")) else 0


if __name__ == "__main__":
    sys.exit(main())
