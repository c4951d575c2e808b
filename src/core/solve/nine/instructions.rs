//! Finds out which vector instructions the machine has.

use std::sync::LazyLock;

/// A set of instructions. Each has those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Only the instructions that every machine of its kind has: SSE2 on x86-64.
    Portable,
    /// x86-64 with SSE4.2 and population counts.
    Sse42,
    /// x86-64 with AVX2, BMI 1 and 2, LZCNT, and the instructions of [`Instructions::Sse42`].
    Avx2,
    /// AVX-512 F, VL and BW, and the instructions of [`Instructions::Avx2`].
    Avx512,
}

impl Instructions {
    /// All instructions that a machine may have. Tests use fewer too.
    pub(crate) const ALL: Instructions = Instructions::Avx512;

    /// The instructions that this machine has. The environment variable `SUDOKU_CORPUS_INSTRUCTIONS` (`portable`,
    /// `sse4.2` or `avx2`) makes them fewer, for tests.
    #[inline]
    pub(crate) fn best() -> Instructions {
        static BEST: LazyLock<Instructions> = LazyLock::new(of_machine);
        *BEST
    }
}

#[cfg(target_arch = "x86_64")]
fn of_machine() -> Instructions {
    let most = match std::env::var("SUDOKU_CORPUS_INSTRUCTIONS").as_deref() {
        Ok("portable") => Instructions::Portable,
        Ok("sse4.2") => Instructions::Sse42,
        Ok("avx2") => Instructions::Avx2,
        _ => Instructions::Avx512,
    };
    let sse42 = is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt");
    let avx2 = sse42
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("avx2");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw");
    let best = match (sse42, avx2, avx512) {
        (_, _, true) => Instructions::Avx512,
        (_, true, _) => Instructions::Avx2,
        (true, ..) => Instructions::Sse42,
        _ => Instructions::Portable,
    };
    best.min(most)
}

#[cfg(not(target_arch = "x86_64"))]
fn of_machine() -> Instructions {
    Instructions::Portable
}
