//! The part of a chain's rating that depends on its length.

/// 0.1 for each of the thresholds 4, 6, 8, 12, 16, 24, 32, ... that complexity - 2 exceeds. The tenths are added one by
/// one in floating point, as in the original, because the sum is compared before it is rounded.
pub(super) fn added(complexity: u32) -> f64 {
    let (mut sum, mut threshold, mut odd) = (0.0, 4, false);
    while complexity > threshold + 2 {
        sum += 0.1;
        threshold = if odd { threshold * 4 / 3 } else { threshold * 3 / 2 };
        odd = !odd;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::added;

    #[test]
    fn thresholds_are_4_6_8_12_16_24_32() {
        let steps: Vec<u32> = (2..70).filter(|&c| added(c + 1) > added(c)).map(|c| c - 2).collect();
        assert_eq!(steps, [4, 6, 8, 12, 16, 24, 32, 48, 64]);
    }
}
