//! The `on` lines in a short form, for play whose watcher hears no lines. The parts of conditions and values that
//! follow from constants and the throw are computed when the engine is made. Frequent effects need no program.

use super::context::Context;
use super::engine::Engine;
use super::evaluator::Evaluator;
use super::guards::throw_key;
use super::outcomes::Settled;
use super::question::{Look, RESULT, Test};
use super::state::{State, Throw};
use super::watch::Watch;
use crate::tables::{Effect, Event, EventSet, Fact, Op, Program, Rule, Whose};
use crate::units::{MAX_GAME_COUNTERS, Seat};

/// The short form of all `on` lines. It is used where the watcher hears no lines ([`Watch::hears_lines`]).
#[derive(Debug)]
pub(super) struct ShortAnswers {
    events: [EventAnswers; Event::COUNT],
}

/// The lines for an event.
#[derive(Debug, Default)]
struct EventAnswers {
    lists: Vec<AnswerList>,
    /// For each [`throw_key`], the index of its list. Empty if there is one list for all throws.
    by_throw: Vec<u8>,
}

/// The lines for an event, with one throw or with any. Lines whose condition is surely false are left out.
#[derive(Debug, Default)]
pub(super) struct AnswerList {
    lines: Vec<AnswerLine>,
    /// What the first lines do, which only set counters of the game and marks of all own pawns to constants.
    constants: AnswerConstants,
}

/// The constants to which lines set counters of the game and marks of all own pawns, in every position.
#[derive(Debug, Default)]
struct AnswerConstants {
    /// How many lines do so: all lines of a list up to the first that does something else.
    count: usize,
    /// These lines, one bit each by their index among the lines for the event.
    lines: u64,
    /// A mask of the bits of the counters that are set, and their values.
    game: [[i16; MAX_GAME_COUNTERS]; 2],
    /// A mask of the marks that are set, one byte for each pawn, and their values.
    marks: [u128; 2],
}

/// An `on` line in its short form.
#[derive(Debug, PartialEq)]
struct AnswerLine {
    /// The index of the line among those for its event.
    index: usize,
    when: LeftToAsk,
    effects: Vec<ShortEffect>,
    /// Whether some effect has no short form. Such an effect takes long, so the engine first finds out whether the line
    /// would change anything.
    takes_long: bool,
}

/// What remains to be evaluated of a condition.
#[derive(Debug, PartialEq)]
enum LeftToAsk {
    /// Nothing: the condition is false.
    Never,
    /// Nothing: the condition is true.
    Always,
    /// A counter has to be in a range, both ends included.
    Counter(Whose, u8, i32, i32),
    /// The chain that begins with this question has to lead to a value other than 0.
    Chain(u32),
}

/// An effect in its short form.
#[derive(Debug, PartialEq)]
enum ShortEffect {
    /// Sets a counter to a value of its range.
    Set(Whose, u8, i16),
    /// Sets a counter to the value of a chain of questions, limited to this range.
    SetTo(Whose, u8, u32, [i16; 2]),
    /// Adds the value of a chain of questions to a counter, limited to this range.
    Add(Whose, u8, u32, [i16; 2]),
    /// Sets marks of all own pawns: one byte for each pawn, a mask of the bits and their values.
    MarkAll(u128, u128),
    Other(Effect),
}

impl ShortAnswers {
    pub(super) fn of(rules: &Evaluator) -> ShortAnswers {
        let throws: Vec<Throw> = rules.outcomes().into_iter().map(|(throw, _)| throw).collect();
        let events = std::array::from_fn(|event| EventAnswers::of(rules, &rules.events.on[event], event, &throws));
        ShortAnswers { events }
    }

    /// The events of which some line may apply.
    pub(super) fn answered(&self) -> EventSet {
        let may_apply = |event: &Event| !self.events[*event as usize].lists.iter().all(AnswerList::is_empty);
        Event::all().filter(may_apply).fold(0, |events, event| events | event.alone())
    }

    /// The lines for an event.
    #[inline(always)]
    pub(super) fn list(&self, state: &State, event: Event) -> Option<&AnswerList> {
        let EventAnswers { lists, by_throw } = &self.events[event as usize];
        let list = match event {
            Event::Throw => by_throw.get(throw_key(&state.last)).copied().unwrap_or_default(),
            _ => 0,
        };
        lists.get(usize::from(list))
    }
}

impl EventAnswers {
    fn of(rules: &Evaluator, lines: &[Rule], event: usize, throws: &[Throw]) -> EventAnswers {
        if lines.is_empty() {
            return EventAnswers::default();
        }
        let mut answers = EventAnswers { lists: vec![AnswerList::of(rules, lines, &|_| None)], by_throw: Vec::new() };
        let reads_throw = |rule: &Rule| {
            let effects = rule.effects.iter().flat_map(|effect| effect.programs());
            let reads = |program: Program| {
                rules.read_by(program).iter().any(|op| matches!(op, Op::Fact(Fact::Total | Fact::Doublet)))
            };
            rule.when.into_iter().chain(effects).any(reads)
        };
        if event == Event::Throw as usize && lines.iter().any(reads_throw) {
            answers.by_throw = vec![0; 2 * super::guards::VALUES];
            for throw in throws {
                let key = throw_key(throw);
                if answers.by_throw[key] == 0 && answers.lists.len() < u8::MAX.into() {
                    let list = AnswerList::of(rules, lines, &|look| match look {
                        Look::Fact(Fact::Total) => Some(throw.total().into()),
                        Look::Fact(Fact::Doublet) => Some(throw.is_doublet().into()),
                        _ => None,
                    });
                    answers.by_throw[key] = answers.lists.len() as u8;
                    answers.lists.push(list);
                }
            }
        }
        answers
    }
}

impl AnswerList {
    /// The lines where some values are known. A counter of the game that a line sets to a constant is known from then
    /// on.
    fn of(rules: &Evaluator, lines: &[Rule], known: &dyn Fn(Look) -> Option<i32>) -> AnswerList {
        let at_first = rules.settled(&known);
        let mut later = None;
        let mut game = [None; MAX_GAME_COUNTERS];
        let mut list = AnswerList::default();
        for (index, rule) in lines.iter().enumerate() {
            let by_now = later.as_ref().unwrap_or(&at_first);
            // An effect of a line may change what later effects of the same line read.
            let by_effects = if rule.effects.len() == 1 { by_now } else { &at_first };
            let line = AnswerLine::of(rules, [by_now, by_effects], index, rule);
            if line.when == LeftToAsk::Never {
                continue;
            }
            let before = game;
            line.effects.iter().for_each(|effect| effect.learn(line.when == LeftToAsk::Always, &mut game));
            if game != before {
                later = Some(rules.settled(&|look| match look {
                    Look::Counter(Whose::Game, index) => game[usize::from(index & 7)].map(i32::from),
                    look => known(look),
                }));
            }
            if list.lines.len() == list.constants.count {
                list.constants.add(&line, !rules.seating.shares);
            }
            list.lines.push(line);
        }
        list
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

impl AnswerConstants {
    /// Adds what a line sets, if it does nothing else.
    fn add(&mut self, line: &AnswerLine, with_marks: bool) {
        let is_constant = |effect: &ShortEffect| match effect {
            ShortEffect::Set(Whose::Game, ..) => true,
            ShortEffect::MarkAll(..) => with_marks,
            _ => false,
        };
        if line.index >= 64 || line.when != LeftToAsk::Always || !line.effects.iter().all(is_constant) {
            return;
        }
        for effect in &line.effects {
            match *effect {
                ShortEffect::Set(_, index, value) => {
                    self.game[0][usize::from(index & 7)] = -1;
                    self.game[1][usize::from(index & 7)] = value;
                }
                ShortEffect::MarkAll(bits, values) => {
                    self.marks = [self.marks[0] | bits, self.marks[1] & !bits | values];
                }
                _ => {}
            }
        }
        self.count += 1;
        self.lines |= 1 << line.index;
    }

    /// Sets the counters and marks.
    #[inline(always)]
    fn set(&self, state: &mut State, own: Seat) {
        let [bits, values] = &self.game;
        for (index, counter) in state.game.iter_mut().enumerate() {
            *counter = *counter & !bits[index] | values[index];
        }
        let [bits, values] = self.marks;
        if bits != 0 {
            let marks = &mut state.marks[own.index()];
            *marks = (u128::from_le_bytes(*marks) & !bits | values).to_le_bytes();
        }
    }
}

impl ShortEffect {
    /// Notes what is known of the counters of the game after this effect, which is taken surely or perhaps.
    fn learn(&self, is_sure: bool, game: &mut [Option<i16>; MAX_GAME_COUNTERS]) {
        match *self {
            ShortEffect::Set(Whose::Game, index, value) => {
                let counter = &mut game[usize::from(index & 7)];
                *counter = if is_sure || *counter == Some(value) { Some(value) } else { None };
            }
            ShortEffect::SetTo(Whose::Game, index, ..) | ShortEffect::Add(Whose::Game, index, ..) => {
                game[usize::from(index & 7)] = None;
            }
            ShortEffect::Set(..) | ShortEffect::SetTo(..) | ShortEffect::Add(..) | ShortEffect::MarkAll(..) => {}
            ShortEffect::Other(effect) => match effect {
                Effect::Mark(..) | Effect::MarkEach(..) | Effect::ThrowNow | Effect::ThrowAfter => {}
                Effect::Bonus(..) | Effect::Drop { .. } | Effect::EndTurn => {}
                // Lines for other events may follow.
                _ => *game = Default::default(),
            },
        }
    }
}

impl AnswerLine {
    /// A line where the questions of its condition, and those of its effects, were settled.
    fn of(rules: &Evaluator, [before, by_effects]: [&Settled; 2], index: usize, rule: &Rule) -> AnswerLine {
        let asked = |when: Program| before.comes_to(rules.questions.first[when.start as usize]);
        let when = rule.when.map_or(LeftToAsk::Always, |when| LeftToAsk::of(rules, before, asked(when)));
        let first = |program: Program| by_effects.comes_to(rules.questions.first[program.start as usize]);
        let effects = rule.effects.iter().map(|effect| {
            let range = |whose: Whose, index: u8| {
                let declared = if whose == Whose::Game { &rules.counters.game } else { &rules.counters.seat };
                let (least, most) = declared[usize::from(index)].range;
                [least, most]
            };
            match *effect {
                Effect::Set(whose, index, value) => {
                    let [least, most] = range(whose, index);
                    match rules.questions.constant(first(value)) {
                        Some(value) => ShortEffect::Set(whose, index, value.clamp(least.into(), most.into()) as i16),
                        None => ShortEffect::SetTo(whose, index, first(value), [least, most]),
                    }
                }
                Effect::Add(whose, index, value) => ShortEffect::Add(whose, index, first(value), range(whose, index)),
                Effect::MarkEach(bit, value, condition) => {
                    let constant = |program: Program| rules.questions.constant(first(program)).map(|value| value != 0);
                    match (constant(condition), constant(value)) {
                        (Some(true), Some(on)) => {
                            let pawns = usize::from(rules.pawns.count);
                            let bits = u128::from_le_bytes(std::array::from_fn(|pawn| u8::from(pawn < pawns) << bit));
                            ShortEffect::MarkAll(bits, if on { bits } else { 0 })
                        }
                        _ => ShortEffect::Other(*effect),
                    }
                }
                effect => ShortEffect::Other(effect),
            }
        });
        let effects: Vec<ShortEffect> = effects.collect();
        let takes_long = effects.iter().any(|effect| matches!(effect, ShortEffect::Other(_)));
        AnswerLine { index, when, effects, takes_long }
    }
}

impl LeftToAsk {
    fn of(rules: &Evaluator, settled: &Settled, first: u32) -> LeftToAsk {
        if let Some(value) = rules.questions.constant(first) {
            return if value != 0 { LeftToAsk::Always } else { LeftToAsk::Never };
        }
        if let Some(question) = rules.questions.list.get(first as usize)
            && let (Look::Counter(whose, index), Test::Within(least, most)) = (question.look, question.test)
            && (settled.comes_to(question.yes), settled.comes_to(question.no)) == (RESULT | 1, RESULT)
        {
            return LeftToAsk::Counter(whose, index, least, most);
        }
        LeftToAsk::Chain(first)
    }
}

impl Engine {
    /// Applies the `on` lines for an event as [`Engine::answer`] does, for a watcher that hears no lines. Of the first
    /// 64 lines, only those with a bit in `may` may apply, and the conditions of those with a bit in `sure` hold.
    #[inline(always)]
    pub(super) fn answer_unheard(
        &self,
        state: &mut State,
        event: Event,
        context: &Context,
        [may, sure]: [u64; 2],
        watch: &mut dyn Watch,
    ) {
        let Some(AnswerList { lines, constants }) = self.answers.list(state, event) else { return };
        let mut rest = &lines[..];
        if constants.count > 0 && constants.lines & !may == 0 {
            constants.set(state, context.own);
            rest = lines.get(constants.count..).unwrap_or_default();
        }
        if !rest.is_empty() {
            self.answer_by_each(state, (event, rest), context, [may, sure], watch);
        }
    }

    #[inline(never)]
    fn answer_by_each(
        &self,
        state: &mut State,
        (event, lines): (Event, &[AnswerLine]),
        context: &Context,
        [may, sure]: [u64; 2],
        watch: &mut dyn Watch,
    ) {
        for line in lines {
            let has_bit = |lines: u64| line.index < 64 && lines >> line.index & 1 == 1;
            if line.index < 64 && !has_bit(may) {
                continue;
            }
            let asks = matches!(line.when, LeftToAsk::Chain(_)) && !has_bit(sure);
            if (asks || line.takes_long)
                && has_bit(self.idle_lines.for_event(event))
                && self.is_idle(state, event, line.index, context)
            {
                continue;
            }
            let holds = match line.when {
                LeftToAsk::Always => true,
                LeftToAsk::Never => false,
                LeftToAsk::Counter(whose, index, least, most) => {
                    (least..=most).contains(&self.counter(state, context, whose, index))
                }
                LeftToAsk::Chain(first) => !asks || self.value_from(state, first, context) != 0,
            };
            if holds {
                for effect in &line.effects {
                    match *effect {
                        ShortEffect::Set(whose, index, value) => {
                            *self.counter_mut(state, context, whose, index) = value;
                        }
                        _ => self.take_longer_effect(state, effect, context, watch),
                    }
                }
                if context.jumps == 0 {
                    state.jumps = 0;
                }
            }
        }
    }

    /// Applies an effect. This is a separate function so that the loop over lines needs few registers.
    #[inline(never)]
    fn take_longer_effect(&self, state: &mut State, effect: &ShortEffect, context: &Context, watch: &mut dyn Watch) {
        match *effect {
            ShortEffect::Set(whose, index, value) => *self.counter_mut(state, context, whose, index) = value,
            ShortEffect::SetTo(whose, index, first, [least, most]) => {
                let value = self.value_from(state, first, context).clamp(least.into(), most.into());
                *self.counter_mut(state, context, whose, index) = value as i16;
            }
            ShortEffect::Add(whose, index, first, [least, most]) => {
                let added = self.value_from(state, first, context);
                let counter = self.counter_mut(state, context, whose, index);
                *counter = i32::from(*counter).saturating_add(added).clamp(least.into(), most.into()) as i16;
            }
            ShortEffect::MarkAll(bits, values) => {
                let mut mark = |colour: Seat| {
                    let marks = &mut state.marks[colour.index()];
                    *marks = (u128::from_le_bytes(*marks) & !bits | values).to_le_bytes();
                };
                if self.seating.shares {
                    self.colours_about(context).into_iter().for_each(mark);
                } else {
                    mark(context.own);
                }
            }
            ShortEffect::Other(ref effect) => self.take_effect(state, effect, context, watch),
        }
    }
}
