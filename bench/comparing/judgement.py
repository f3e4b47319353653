"""Statistics of the samples of two versions: a ratio, an interval, a rank test, a verdict.

There are two kinds of samples. Paired samples come from alternating versions: both of a pair were measured within a
fraction of a second, so a longer slowdown of a busy machine affects both, and only the ratio within the pair is used.
The test is Wilcoxon's signed-rank test on the logarithms of these ratios. Estimate and interval are those of Hodges and
Lehmann: the median of the Walsh averages, and the outermost two of them that the same test would not reject. They are
robust against drift and against outliers.

Unpaired samples come from different sessions (a saved baseline). The test is that of Mann and Whitney, the estimate
Hodges and Lehmann's shift: the median of all differences between a sample of one version and a sample of the other.

Ratios are after / before: 1.10 is ten percent slower.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from scipy import stats

from . import Counts

PAIRS_MIN = 8  # with fewer no interval has a confidence of 99%


@dataclass
class Comparison:
    """One benchmark in two versions. `ratio`, `low` and `high` are None when only one version has a figure of it."""
    name: str
    before: float | None  # medians
    after: float | None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None  # of the rank test; None where counts are exact
    p_holm: float | None = None  # corrected for all benchmarks of the run
    samples: int = 0
    verdict: str = "inconclusive"

    FAILURES = ("slower", "vanished", "uncountable")

    @property
    def failed(self) -> bool:
        return self.verdict in self.FAILURES


def signed_rank_quantile(n: int, tail: float) -> int:
    """The largest k with P(W < k) ≤ tail, W being the signed-rank statistic of n differences around zero."""
    ways = numpy.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] = ways[rank:] + ways[:-rank]
    below = numpy.cumsum(ways) / 2.0 ** n
    return int(numpy.searchsorted(below, tail, side="right"))


def signed_rank_p(differences: numpy.ndarray) -> float:
    """Wilcoxon's two-sided test. Pairs without a difference are left out."""
    told = differences[differences != 0]
    return float(stats.wilcoxon(told).pvalue) if len(told) else 1.0


def paired_shift(differences: list[float], confidence: float) -> tuple[float, float, float]:
    """Hodges and Lehmann's estimate of the centre of paired differences, and its interval."""
    d = numpy.asarray(differences)
    n = len(d)
    rows, columns = numpy.triu_indices(n)
    walsh = numpy.sort((d[rows] + d[columns]) / 2)
    k = signed_rank_quantile(n, (1 - confidence) / 2)
    if k == 0:  # too few for an interval of this confidence
        return float(numpy.median(walsh)), -math.inf, math.inf
    return float(numpy.median(walsh)), float(walsh[k - 1]), float(walsh[-k])


def unpaired_shift(before: list[float], after: list[float], confidence: float) -> tuple[float, float, float]:
    """Hodges and Lehmann's estimate of the shift between two samples, and its interval."""
    m, n = len(before), len(after)
    differences = numpy.sort(numpy.subtract.outer(numpy.asarray(after), numpy.asarray(before)).ravel())
    deviation = math.sqrt(m * n * (m + n + 1) / 12)
    k = math.floor(m * n / 2 - stats.norm.ppf((1 + confidence) / 2) * deviation)
    if k <= 0:
        return float(numpy.median(differences)), -math.inf, math.inf
    return float(numpy.median(differences)), float(differences[k - 1]), float(differences[-k])


def verdict_of(low: float, high: float, significant: bool, threshold: float) -> str:
    """`same` means that the interval lies within the threshold, whatever the result of the test."""
    if low > 1 + threshold and significant:
        return "slower"
    if high < 1 / (1 + threshold) and significant:
        return "faster"
    if 1 / (1 + threshold) <= low and high <= 1 + threshold:
        return "same"
    return "inconclusive"


def holm(p_values: list[float]) -> list[float]:
    """Holm's correction: the probability that any true null hypothesis is rejected stays below the level."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected = [0.0] * len(p_values)
    running = 0.0
    for position, i in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - position) * p_values[i]))
        corrected[i] = running
    return corrected


def _measured(name: str, before: list[float], after: list[float], paired: bool, confidence: float) -> Comparison:
    log_before, log_after = numpy.log(before), numpy.log(after)
    if paired:
        differences = log_after - log_before
        shift, low, high = paired_shift(list(differences), confidence)
        p = signed_rank_p(differences)
    else:
        shift, low, high = unpaired_shift(list(log_before), list(log_after), confidence)
        p = float(stats.mannwhitneyu(log_before, log_after, alternative="two-sided").pvalue)
    return Comparison(name, float(numpy.median(before)), float(numpy.median(after)), math.exp(shift), math.exp(low),
                      math.exp(high), p, samples=min(len(before), len(after)))


def _in_one_only(name: str, before: list[float], after: list[float]) -> Comparison:
    if before:
        return Comparison(name, float(numpy.median(before)), None, samples=len(before), verdict="vanished")
    return Comparison(name, None, float(numpy.median(after)), samples=len(after), verdict="new")


def compare_times(before: dict[str, list[float]], after: dict[str, list[float]], *, paired: bool, threshold: float,
                  confidence: float = 0.99, level: float = 0.01) -> list[Comparison]:
    """Judges all benchmarks of two versions; p values are corrected for their number.

    `slower` and `faster` need both: a test that is significant at `level` after the correction, and an interval (of
    `confidence`) beyond the threshold. The level is low because the same against the same must be quiet even where
    the noise is larger than the threshold.
    """
    out = []
    for name in sorted(before.keys() | after.keys()):
        ours, theirs = before.get(name, []), after.get(name, [])
        if not ours or not theirs:
            if ours or theirs:
                out.append(_in_one_only(name, ours, theirs))
            continue
        if paired:
            both = min(len(ours), len(theirs))
            ours, theirs = ours[:both], theirs[:both]
        out.append(_measured(name, ours, theirs, paired, confidence))
    tested = [c for c in out if c.p is not None]
    for comparison, corrected in zip(tested, holm([c.p for c in tested])):
        comparison.p_holm = corrected
        if comparison.samples >= PAIRS_MIN:
            comparison.verdict = verdict_of(comparison.low, comparison.high, corrected < level, threshold)
    return out


def _counted_in_one_at_most(name: str, before: Counts, after: Counts) -> Comparison:
    """What was counted before has to be counted after: a lost count is a failure, as a lost benchmark is."""
    ours, theirs = before.get(name), after.get(name)
    if name not in after:
        verdict = "vanished"
    elif ours is not None:
        verdict = "uncountable"
    elif theirs is None:
        verdict = "left out"
    else:
        verdict = "countable" if name in before else "new"
    return Comparison(name, ours, theirs, samples=int(ours is not None or theirs is not None), verdict=verdict)


def compare_counts(before: Counts, after: Counts, *, threshold: float) -> list[Comparison]:
    """The same for instruction counts, which are exact: the interval is a point and no test is needed."""
    out = []
    for name in sorted(before.keys() | after.keys()):
        ours, theirs = before.get(name), after.get(name)
        if ours is None or theirs is None:
            out.append(_counted_in_one_at_most(name, before, after))
            continue
        ratio = theirs / ours
        out.append(Comparison(name, ours, theirs, ratio, ratio, ratio, samples=1,
                              verdict=verdict_of(ratio, ratio, True, threshold)))
    return out
