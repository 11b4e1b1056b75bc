//! Rounds of the service, each beside one of the yardstick: what was measured, and how it compares.
//!
//! A machine is not as fast at one moment as at another, least of all a rented one. So a round is compared with the
//! one next to it, and the middle one of these ratios counts. What a request cost tells more than how many there were.

use crate::round::Round;

/// The least share of the yardstick's rate that is aimed at.
const LEAST_SHARE: f64 = 0.7;

/// Rounds of one kind.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The service's.
    pub own: Vec<Round>,
    /// The yardstick's, where it is measured.
    pub beside: Vec<Round>,
    /// Moves a second of boardgame.io, where it is installed.
    pub peer: Vec<f64>,
}

impl Pairs {
    /// The middle ratio of a round and the yardstick's next to it; `None` without the yardstick.
    pub fn ratio(&self, what: impl Fn(&Round) -> f64) -> Option<f64> {
        let ratios = self.own.iter().zip(&self.beside).map(|(own, beside)| what(own) / what(beside));
        (!self.beside.is_empty()).then(|| middle(ratios))
    }

    /// The middle rate of boardgame.io, and the middle one of how many times the service's round next to it has that.
    pub fn of_peer(&self) -> Option<(f64, f64)> {
        let times = self.own.iter().zip(&self.peer).map(|(own, peer)| own.rate() / peer);
        (!self.peer.is_empty()).then(|| (middle(self.peer.iter().copied()), middle(times)))
    }

    /// Prints rates, times and costs, and the share of the yardstick's rate.
    pub fn print(&self) {
        for (name, rounds) in [("Pagade", &self.own), ("yardstick", &self.beside)] {
            if rounds.is_empty() {
                continue;
            }
            let of = |what: &dyn Fn(&Round) -> f64| middle(rounds.iter().map(what));
            let [half, most] = [0.5, 0.99].map(|share| of(&|round| round.within(share)));
            println!("  {name:<10} {:>9.0} a second, p50 {half:.2} ms, p99 {most:.2} ms", of(&Round::rate));
            let parts = rounds[0].spent.iter().map(|(part, _)| *part).enumerate();
            let costs: Vec<_> =
                parts.map(|(index, part)| format!("{part} {:.0}", of(&|round| round.cost(index)))).collect();
            println!("  {:<10} microseconds of CPU each: {}", "", costs.join(", "));
            let failed: u64 = rounds.iter().map(|round| round.failed).sum();
            if failed > 0 {
                println!("  {failed} requests failed");
            }
        }
        if let Some(share) = self.ratio(Round::rate) {
            println!("  {share:.2} of the yardstick{}", short_of(share >= LEAST_SHARE, LEAST_SHARE));
        }
    }
}

/// What is said behind a figure that does not reach its aim.
pub fn short_of(is_met: bool, aim: f64) -> String {
    if is_met { String::new() } else { format!(" (short of {aim})") }
}

/// The middle one of some figures.
fn middle(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
