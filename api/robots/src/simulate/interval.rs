//! Confidence intervals of rates.

/// The 97.5 % quantile of the normal distribution: 95 % lie between -Z and Z.
const Z: f64 = 1.959_964;

/// Computes the 95 % confidence interval of a rate by Wilson's formula, which holds for rates near 0 and 1, too.
pub fn wilson(hits: u64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let (n, p) = (trials as f64, hits as f64 / trials as f64);
    let centre = p + Z * Z / (2.0 * n);
    let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((centre - reach) / scale).max(0.0), ((centre + reach) / scale).min(1.0)]
}

/// Computes the 95 % confidence interval of a mean from the sum of `count` numbers and the sum of their squares, by the
/// normal approximation. It is the mean alone if there are fewer than two numbers.
pub fn mean_interval(sum: f64, squares: f64, count: u64) -> [f64; 2] {
    let n = count.max(1) as f64;
    let mean = sum / n;
    if count < 2 {
        return [mean, mean];
    }
    let variance = ((squares - sum * mean) / (n - 1.0)).max(0.0);
    let reach = Z * (variance / n).sqrt();
    [mean - reach, mean + reach]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_follows_from_the_spread() {
        // 0 and 2 in equal shares: the standard deviation is 1.
        let [low, high] = mean_interval(1000.0, 2000.0, 1000);
        assert!((high - low - 2.0 * Z * (1.001_f64 / 1000.0).sqrt()).abs() < 1e-4, "{low} {high}");
        assert_eq!(mean_interval(7.0, 49.0, 1), [7.0, 7.0]);
        assert_eq!(mean_interval(21.0, 147.0, 3), [7.0, 7.0]);
    }

    #[test]
    fn the_interval_holds_the_rate_and_stays_within_0_and_1() {
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
        let [low, high] = wilson(0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-3, "{low} {high}");
        let [low, high] = wilson(250, 1000);
        assert!((low - 0.2242).abs() < 1e-3 && (high - 0.2778).abs() < 1e-3, "{low} {high}");
    }
}
