//! The logistic function, with the same result on every machine.

/// The logistic function: 1 / (1 + e^-x), to about six digits.
///
/// The standard library computes e^x by functions of the machine, whose last digits differ. Here e^x is a power of two
/// with a polynomial for the rest, and every step is exact by IEEE 754.
pub(crate) fn logistic(x: f64) -> f64 {
    let x = x.clamp(-30.0, 30.0);
    1.0 / (1.0 + exp(-x))
}

fn exp(x: f64) -> f64 {
    let power = x * std::f64::consts::LOG2_E;
    let whole = power.floor();
    let rest = (power - whole) * std::f64::consts::LN_2;
    let mut sum = 1.0;
    for n in (1..=8).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logistic_function() {
        for tenth in -300..=300 {
            let x = f64::from(tenth) / 10.0;
            let exact = 1.0 / (1.0 + (-x).exp());
            assert!((logistic(x) - exact).abs() < 1e-6 * exact, "{x}");
        }
        assert!(logistic(f64::MAX) > 0.999 && logistic(f64::MIN) < 0.001);
    }
}
