//! The `on` lines that can change the count of numbers that a plan spends. Looking ahead leaves out all others.

use crate::play::evaluator::Evaluator;
use crate::tables::{Duty, Effect, Event, EventSet, Fact, Op, Program, Rule, Whose};
use crate::units::Due;

/// Counters and marks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueSet {
    /// The counters of the seats and of the game, one bit each.
    pub counters: [u8; 2],
    /// The marks of pawns, one bit each.
    marks: u8,
}

impl ValueSet {
    /// Adds the counter or mark that an operation reads, if it reads one.
    pub(super) fn add(&mut self, op: Op) {
        match op {
            Op::Counter(whose, index) => self.counters[usize::from(whose == Whose::Game)] |= 1 << (index & 7),
            Op::Mark(bit) | Op::MarkThere(bit) | Op::OwnMarkThere(bit) | Op::MarkNamed(bit) => {
                self.marks |= 1 << bit;
            }
            _ => {}
        }
    }

    /// Whether an effect may change one of these values. Effects other than on counters, marks, granted throws and
    /// bonuses always count as such a change.
    pub(super) fn are_changed_by(&self, rules: &Evaluator, effect: &Effect) -> bool {
        let asks = |fact: Fact| rules.code.ops.contains(&Op::Fact(fact));
        match *effect {
            Effect::Set(whose, index, _) | Effect::Add(whose, index, _) => {
                self.counters[usize::from(whose == Whose::Game)] >> (index & 7) & 1 == 1
            }
            Effect::Mark(bit, _) | Effect::MarkEach(bit, ..) => self.marks >> bit & 1 == 1,
            Effect::ThrowNow | Effect::ThrowAfter => asks(Fact::Owed),
            // The hand holds a limited number of bonuses. A bonus due after the numbers may fill it, so that a bonus
            // due before the numbers is not granted.
            Effect::Bonus(..) => {
                asks(Fact::BonusesNow)
                    || rules.events.effects().any(|effect| matches!(effect, Effect::Bonus(_, Due::Now)))
            }
            _ => true,
        }
    }
}

/// The values on which moves depend, and the lines that change such values. These values and lines *matter*: they can
/// change the count of numbers that a plan spends.
#[derive(Debug)]
pub(crate) struct Relevant {
    /// The counters and marks that matter.
    pub(super) values: ValueSet,
    /// For each event, the `on` lines that can change the count of numbers that a plan spends, one bit each. The index
    /// is the [`Event`].
    lines: [u64; Event::COUNT],
    /// The events with at least one bit set in `lines`, one bit each.
    pub events: EventSet,
}

impl Relevant {
    pub(crate) fn of(rules: &Evaluator) -> Relevant {
        let mut found = Relevant { values: ValueSet::default(), lines: [0; Event::COUNT], events: 0 };
        let lines = rules.moves.spend.iter().filter(|line| line.duty != Duty::Voluntary);
        let asked = lines
            .flat_map(|line| [line.open, line.when, line.steps, line.route.program()])
            .flatten()
            .chain(rules.board.gate);
        let tables = [&rules.moves.landing, &rules.moves.passing];
        let verdicts = tables.into_iter().flat_map(|table| &table.asked).map(|asked| asked.when);
        let must = rules.moves.must.iter().flat_map(|must| [must.open, must.when, must.least]).flatten();
        for program in asked.chain(verdicts).chain(must).chain(rules.finish.help).chain(rules.finish.when) {
            found.read(rules, program);
        }
        while found.add_lines(rules) {}
        found
    }

    /// Whether a line matters, given by its event and its index among the lines for this event.
    #[inline(always)]
    pub(crate) fn has(&self, event: Event, index: usize) -> bool {
        index >= 64 || self.lines[event as usize] >> index & 1 == 1
    }

    /// The first 64 lines for an event that matter, one bit each.
    #[inline(always)]
    pub(crate) fn lines_for(&self, event: Event) -> u64 {
        self.lines[event as usize]
    }

    /// Adds the `on` lines that change values that matter, and the values that these lines read. Returns whether it
    /// added any line; if so, the new values may make further lines matter.
    fn add_lines(&mut self, rules: &Evaluator) -> bool {
        let before = self.lines;
        for event in Event::all().filter(|&event| while_spending(event as usize)) {
            for (index, rule) in rules.events.on[event as usize].iter().enumerate().take(64) {
                if !self.has(event, index)
                    && !rules.is_never(rule.when)
                    && rule.effects.iter().any(|effect| self.values.are_changed_by(rules, effect))
                {
                    self.lines[event as usize] |= 1 << index;
                    self.events |= event.alone();
                    self.read_rule(rules, rule);
                }
            }
            let too_many = rules.events.on[event as usize].len() > 64;
            self.events |= if too_many { event.alone() } else { 0 };
        }
        before != self.lines
    }

    fn read_rule(&mut self, rules: &Evaluator, rule: &Rule) {
        rule.when.into_iter().for_each(|when| self.read(rules, when));
        for program in rule.effects.iter().flat_map(|effect| effect.programs()) {
            self.read(rules, program);
        }
    }

    /// Adds the values that a condition or number reads.
    fn read(&mut self, rules: &Evaluator, program: Program) {
        rules.read_by(program).into_iter().for_each(|op| self.values.add(op));
    }
}

/// Whether an event can happen while the hand is spent.
pub(super) fn while_spending(event: usize) -> bool {
    let before_or_after = [Event::TurnStart, Event::Throw, Event::Spent, Event::TurnEnd, Event::AnyTurnEnd];
    !before_or_after.iter().any(|&other| other as usize == event)
}
