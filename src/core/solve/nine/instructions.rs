//! Finds out which vector instructions the machine has.

use std::sync::LazyLock;

/// A set of instructions. Each has those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Only the instructions that every machine has.
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
        static BEST: LazyLock<Instructions> = LazyLock::new(found);
        *BEST
    }
}

#[cfg(target_arch = "x86_64")]
fn found() -> Instructions {
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
    let there = if !sse42 {
        Instructions::Portable
    } else if !avx2 {
        Instructions::Sse42
    } else if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
    {
        Instructions::Avx512
    } else {
        Instructions::Avx2
    };
    there.min(most)
}

#[cfg(not(target_arch = "x86_64"))]
fn found() -> Instructions {
    Instructions::Portable
}
