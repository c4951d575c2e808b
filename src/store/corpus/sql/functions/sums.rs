//! Sums numbers and products, to about 31 digits: the sum of two doubles that do not overlap.
//!
//! So variances and slopes of large numbers lose no digits, do not depend on the order of the rows, and rows can leave
//! a window again. Reference: T. J. Dekker, A floating-point technique for extending the available precision, 1971.

/// A number as the sum of two doubles, the second at most half a unit in the last place of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Long(f64, f64);

impl Long {
    pub(super) fn of(number: f64) -> Long {
        Long(number, 0.0)
    }

    /// The exact product of two doubles.
    pub(super) fn product(left: f64, right: f64) -> Long {
        let product = left * right;
        // What rounding has taken from the product: `mul_add` rounds only at its end.
        Long(product, left.mul_add(right, -product))
    }

    /// The sum, with what rounding takes from it.
    pub(super) fn plus(self, other: Long) -> Long {
        let sum = self.0 + other.0;
        if !sum.is_finite() {
            return Long(sum, 0.0);
        }
        // What rounding has taken from the sum of the first doubles.
        let part = sum - self.0;
        let lost = (self.0 - (sum - part)) + (other.0 - part);
        let rest = lost + self.1 + other.1;
        let whole = sum + rest;
        Long(whole, rest - (whole - sum))
    }

    pub(super) fn minus(self, other: Long) -> Long {
        self.plus(Long(-other.0, -other.1))
    }

    /// The product.
    pub(super) fn times(self, other: Long) -> Long {
        let exact = Long::product(self.0, other.0);
        exact.plus(Long(self.0 * other.1 + self.1 * other.0, 0.0))
    }

    pub(super) fn value(self) -> f64 {
        self.0 + self.1
    }
}

/// True for a number that is infinite, or so large or small that its square has not all its digits.
fn is_extreme(number: f64) -> bool {
    number != 0.0 && !(1e-100..1e100).contains(&number.abs())
}

/// The sums of pairs of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub count: f64,
    /// Pairs that are not in the sums, because a number is extreme. With any of them, no figure is known.
    pub extremes: f64,
    x: Long,
    y: Long,
    xx: Long,
    yy: Long,
    xy: Long,
}

impl Sums {
    /// Adds a pair; with `sign` -1, takes it away.
    pub(super) fn add(&mut self, x: f64, y: f64, sign: f64) {
        let signed = |long: Long| if sign < 0.0 { Long::default().minus(long) } else { long };
        self.count += sign;
        if is_extreme(x) || is_extreme(y) {
            self.extremes += sign;
            return;
        }
        self.x = self.x.plus(signed(Long::of(x)));
        self.y = self.y.plus(signed(Long::of(y)));
        self.xx = self.xx.plus(signed(Long::product(x, x)));
        self.yy = self.yy.plus(signed(Long::product(y, y)));
        self.xy = self.xy.plus(signed(Long::product(x, y)));
    }

    /// n times the sum of the products of the deviations from both means.
    fn deviations(&self, products: Long, x: Long, y: Long) -> f64 {
        products.times(Long::of(self.count)).minus(x.times(y)).value()
    }

    /// The sum of the squares of the deviations of x from its mean.
    pub(super) fn sxx(&self) -> f64 {
        self.deviations(self.xx, self.x, self.x).max(0.0) / self.count
    }

    pub(super) fn syy(&self) -> f64 {
        self.deviations(self.yy, self.y, self.y).max(0.0) / self.count
    }

    pub(super) fn sxy(&self) -> f64 {
        self.deviations(self.xy, self.x, self.y) / self.count
    }

    pub(super) fn mean_x(&self) -> f64 {
        self.x.value() / self.count
    }

    pub(super) fn mean_y(&self) -> f64 {
        self.y.value() / self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_lose_no_digits_and_rows_leave_again() {
        let mut sums = Sums::default();
        for at in 0..1000 {
            let x = 1e9 + f64::from(at % 2);
            sums.add(x, 3.0 * x + 1e9, 1.0);
        }
        assert_eq!((sums.sxx(), sums.sxy(), sums.syy()), (250.0, 750.0, 2250.0));
        sums.add(0.1, 1e15, 1.0);
        sums.add(0.1, 1e15, -1.0);
        assert_eq!((sums.sxx(), sums.mean_x()), (250.0, 1e9 + 0.5));
        for extreme in [1e200, -1e-200, f64::INFINITY] {
            sums.add(extreme, 1.0, 1.0);
            assert_eq!(sums.extremes, 1.0);
            sums.add(extreme, 1.0, -1.0);
            assert_eq!((sums.extremes, sums.sxx()), (0.0, 250.0));
        }
    }
}
