//! Compares each round of the service with a round of the yardstick, which is the smallest possible server.
//!
//! The speed of a machine changes from moment to moment, most of all that of a rented one. Each round of the service is
//! therefore compared with the yardstick's round right after it, and the median of these ratios is the result.
//! Processor time for each request varies less than the rate.

use crate::round::Round;

/// The rounds of one kind of request.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// The rounds of the service.
    pub own: Vec<Round>,
    /// The rounds of the yardstick. Empty if it is not measured.
    pub beside: Vec<Round>,
    /// The moves a second of boardgame.io. Empty if it is not installed.
    pub peer: Vec<f64>,
}

impl Pairs {
    /// The median ratio of a figure in a round to the same figure in the yardstick's round right after it. `None` if
    /// the yardstick is not measured.
    pub(crate) fn ratio(&self, what: impl Fn(&Round) -> f64) -> Option<f64> {
        let ratios = self.own.iter().zip(&self.beside).map(|(own, beside)| what(own) / what(beside));
        (!self.beside.is_empty()).then(|| median(ratios))
    }

    /// The median rate of boardgame.io, and the median ratio of the service's rate to it.
    pub(crate) fn of_peer(&self) -> Option<(f64, f64)> {
        let times = self.own.iter().zip(&self.peer).map(|(own, peer)| own.rate() / peer);
        (!self.peer.is_empty()).then(|| (median(self.peer.iter().copied()), median(times)))
    }

    /// Prints rates, answer times and processor times, and the rate as a share of the yardstick's rate. The share
    /// should be at least `aim`.
    pub(crate) fn print(&self, aim: f64) {
        for (name, rounds) in [("Pagade", &self.own), ("yardstick", &self.beside)] {
            if rounds.is_empty() {
                continue;
            }
            let of = |what: &dyn Fn(&Round) -> f64| median(rounds.iter().map(what));
            let [half, most] = [0.5, 0.99].map(|share| of(&|round| round.within(share)));
            println!("  {name:<10} {:>9.0} a second, p50 {half:.2} ms, p99 {most:.2} ms", of(&Round::rate));
            let processes = rounds[0].processor_times.iter().map(|(name, _)| *name).enumerate();
            let costs: Vec<_> =
                processes.map(|(index, name)| format!("{name} {:.0}", of(&|round| round.cost(index)))).collect();
            println!("  {:<10} microseconds of CPU each: {}", "", costs.join(", "));
            let failed: u64 = rounds.iter().map(|round| round.failed).sum();
            if failed > 0 {
                println!("  {failed} requests failed");
            }
        }
        if let Some(share) = self.ratio(Round::rate) {
            println!("  {share:.2} of the yardstick{}", short_of(share >= aim, aim));
        }
    }
}

/// The note that is printed after a figure which misses its goal. Empty if the goal is met.
pub(crate) fn short_of(is_met: bool, aim: f64) -> String {
    if is_met { String::new() } else { format!(" (short of {aim})") }
}

/// The median of some figures.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
