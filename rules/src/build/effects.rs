//! Builds the effects of events and of choices.

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::options;
use super::resolve::{Resolved, qualified_name};
use super::scope::{Scope, ValueType};
use super::term::Term;
use crate::document::JumperText;
use crate::document::{ChoiceLine, CounterLine, EffectKind, EffectText, Expr, Text};
use crate::expr::{EffectWord, TwoWordEffect};
use crate::source::Span;
use crate::tables::{
    Argument, Asked, Asking, Choice, Counter, Each, Effect, Event, Op, PASS_WORD, Program, Rule, Which, Whose,
};
use crate::units::{Due, MAX_BONUSES};
use crate::word::Word;

impl<'d> Builder<'d> {
    /// Builds the rules of each event from the lines of `on`.
    pub(super) fn on(&mut self, ids: &LineNumbers) -> [Vec<Rule>; Event::COUNT] {
        let mut on: [Vec<Rule>; Event::COUNT] = Default::default();
        for (index, line) in self.document.on.iter().enumerate() {
            for event in line.events.iter().map(|event| event.value) {
                let scope = Scope::event(event);
                let when = self.condition(line.when.as_ref(), scope);
                let effects = self.effects(&line.effects, scope);
                self.check_grants(event, &line.effects);
                if when.known_truth() != Some(false) {
                    let when = self.asked(&when, line.when.as_ref());
                    on[event as usize].push(Rule { line: ids.of("on", index), when, effects });
                }
            }
        }
        on
    }

    /// Reports throws and bonuses that would be granted when the turn is over, and the end of a turn that is over.
    fn check_grants(&mut self, event: Event, effects: &'d [EffectText]) {
        if !matches!(event, Event::TurnEnd | Event::AnyTurnEnd) {
            return;
        }
        for effect in effects {
            let name = match effect.kind {
                EffectKind::EndTurn => {
                    let end = TwoWordEffect::EndTurn.word();
                    let message = format!("`{end}` means nothing at `{}`: the turn is over", event.word());
                    let (throw, spent) = (Event::Throw.word(), Event::Spent.word());
                    let help = format!("end the turn at `{throw}` or `{spent}`, or by a choice");
                    self.report.error("not-here", effect.span, message, Some(help));
                    continue;
                }
                EffectKind::ThrowAgain => TwoWordEffect::ThrowAgain.word(),
                EffectKind::ThrowAfter => TwoWordEffect::ThrowAfter.word(),
                EffectKind::Bonus { .. } => EffectWord::Bonus.word(),
                _ => continue,
            };
            let message = format!("`{name}` grants nothing at `{}`: the turn is over", event.word());
            let (spent, asking) = (Event::Spent.word(), Asking::BeforeTurnEnd.word());
            let help = format!("grant it at `{spent}`, or by a choice `{asking}`");
            self.report.error("not-here", effect.span, message, Some(help));
        }
    }

    /// Builds the choices that are not moves.
    pub(super) fn choices(&mut self, ids: &LineNumbers, shares: bool) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (index, line) in self.document.choices.iter().enumerate() {
            let of = line.argument.as_ref().map_or(Argument::None, |argument| argument.value);
            let who = line.who.as_ref().map_or(Asked::Mover, |who| who.value);
            let scope = Scope::asked(who, of);
            let when = self.condition(line.when.as_ref(), scope);
            let effects = self.effects(&line.effects, scope);
            let word = line.word.as_ref().unwrap_or(&line.id);
            self.check_word(word);
            self.check_asked(line, who, of);
            if when.known_truth() != Some(false) {
                if let Some(argument) = &line.argument {
                    self.refuse_with_colours(shares, "a choice with an argument", argument.span);
                }
                choices.push(Choice {
                    line: ids.of("choices", index),
                    word: word.value.clone(),
                    at: line.ask.value,
                    who,
                    when: self.asked(&when, line.when.as_ref()),
                    of,
                    effects,
                });
            }
        }
        choices
    }

    /// Reports a line that asks a partner where there is none, and an argument that is no pawn of another seat.
    fn check_asked(&mut self, line: &ChoiceLine, who: Asked, of: Argument) {
        let Some(asked) = &line.who else { return };
        if who == Asked::Partner && self.document.teams.is_none() {
            let message = "without `teams` nobody has a partner who could be asked".to_owned();
            let [next, previous, others] = [Asked::Next, Asked::Previous, Asked::Others].map(Word::word);
            let help = format!("add `teams: {{opposite: yes}}`, or ask `{next}`, `{previous}` or `{others}`");
            self.report.error("not-here", asked.span, message, Some(help));
        }
        if let Some(argument) = &line.argument
            && who == Asked::Previous
            && of == Argument::PreviousPawn
        {
            let message = format!("`{}` is a pawn of the seat that is asked", of.word());
            let help = format!("write `{}` for a pawn of the seat whose turn it is", Argument::TurnPawn.word());
            self.report.error("not-here", argument.span, message, Some(help));
        }
    }

    /// Reports a word that players could confuse with a move or with `pass`.
    fn check_word(&mut self, word: &Text) {
        let text = &word.value;
        let (message, help) = if text.contains(['-', '=']) {
            let help = format!("say `word: {}`", text.replace(['-', '='], "_"));
            (format!("players could not tell the word `{text}` from a move"), help)
        } else if text == PASS_WORD {
            (format!("`{PASS_WORD}` already means that a player spends nothing"), "choose another word".to_owned())
        } else {
            return;
        };
        self.report.error("bad-word", word.span, message, Some(help));
    }

    fn effects(&mut self, effects: &'d [EffectText], scope: Scope) -> Vec<Effect> {
        let mut made = Vec::new();
        for effect in effects {
            match &effect.kind {
                EffectKind::Bonus { steps, times: Some(times), due } => {
                    made.extend(self.bonuses(steps, times, *due, scope));
                }
                _ => made.extend(self.effect(effect, scope)),
            }
        }
        made
    }

    /// Makes `times` bonuses of `steps`. The value of `times` may be computed during play, so there is one effect for
    /// each bonus that is possible. The effects beyond `times` grant bonuses without steps.
    fn bonuses(&mut self, steps: &'d Expr, times: &'d Expr, due: Due, scope: Scope) -> Vec<Effect> {
        let each = self.typed(steps, ValueType::Number, scope);
        let count = self.typed(times, ValueType::Number, scope);
        let most = match count {
            Term::Known(count) => count,
            Term::Ask(Op::Counter(whose, index)) => {
                let document = self.document;
                let counters = if whose == Whose::Game { document.game_counters() } else { document.seat_counters() };
                counters[usize::from(index)].range.as_ref().map_or(1, |(_, to)| to.value)
            }
            _ => MAX_BONUSES as i64,
        };
        // The numbers descend, because `times` may count the bonuses that are due. Each new bonus raises that count, so
        // ascending numbers would grant too many.
        let numbers = (1..=most.clamp(0, MAX_BONUSES as i64)).rev();
        numbers
            .map(|number| {
                let is_due = Term::two(Op::Le, Term::Known(number), count.clone());
                let steps_of_it = Term::pick(is_due, each.clone(), Term::Known(0));
                Effect::Bonus(self.program(&steps_of_it, steps.span), due)
            })
            .collect()
    }

    fn effect(&mut self, effect: &'d EffectText, scope: Scope) -> Option<Effect> {
        Some(match &effect.kind {
            EffectKind::Set(qualifier, name, value) => {
                let (whose, index, truth) = self.written(qualifier.as_deref(), name, effect.span, scope)?;
                let (found, term) = self.resolve(value, scope);
                match (truth, found) {
                    (false, Resolved::Value(ValueType::Place)) => {}
                    (true, found) => self.expect(value, found, ValueType::Truth),
                    (false, found) => self.expect(value, found, ValueType::Number),
                }
                Effect::Set(whose, index, self.program(&term, value.span))
            }
            EffectKind::Add(qualifier, name, value) => {
                let (whose, index, truth) = self.written(qualifier.as_deref(), name, effect.span, scope)?;
                if truth {
                    let help = Some(format!("write `{name} = yes` or `{name} = no`"));
                    self.report.error("wrong-type", effect.span, format!("`{name}` is yes or no"), help);
                }
                Effect::Add(whose, index, self.value(value, ValueType::Number, scope))
            }
            EffectKind::Mark(name, value) => {
                let mark = self.mark(name, effect.span)?;
                let needed = Scope::qualifier(Some("pawn"));
                self.known_here(&format!("pawn.{name}"), needed, scope, effect.span);
                Effect::Mark(mark, self.value(value, ValueType::Truth, scope))
            }
            EffectKind::MarkEach(name, value, condition) => {
                let mark = self.mark(name, effect.span)?;
                let each = scope.each_pawn();
                let set = self.value(value, ValueType::Truth, each);
                Effect::MarkEach(mark, set, self.chosen_by(condition.as_ref(), each, effect.span))
            }
            EffectKind::ThrowAgain => Effect::ThrowNow,
            EffectKind::ThrowAfter => Effect::ThrowAfter,
            EffectKind::Bonus { steps, due, .. } => Effect::Bonus(self.value(steps, ValueType::Number, scope), *due),
            EffectKind::DropThrow | EffectKind::DropHand => {
                let all = effect.kind == EffectKind::DropHand;
                let name = if all { "drop hand" } else { "drop throw" };
                let help = "a throw is dropped at the event `throw`, before its numbers are in the hand";
                self.means_here(
                    (name, "the dice are thrown at another event"),
                    Scope::FALLING,
                    scope,
                    effect.span,
                    help,
                );
                Effect::Drop { all }
            }
            EffectKind::EndTurn => Effect::EndTurn,
            EffectKind::UndoTurn => Effect::UndoTurn,
            EffectKind::Send { which, to } => {
                self.check_which(*which, scope, effect.span);
                Effect::Send(*which, self.goal(to, scope))
            }
            EffectKind::SendEach { each, to, condition } => {
                let about = match each {
                    Each::Own => scope.each_pawn(),
                    Each::Enemy => scope.each_enemy(),
                };
                let to = self.goal(to, about);
                Effect::SendEach(*each, to, self.chosen_by(condition.as_ref(), about, effect.span))
            }
            EffectKind::JumpEach { to, condition } => {
                let condition = self.chosen_by(condition.as_ref(), scope.each_pawn(), effect.span);
                Effect::JumpEach(self.jump_goal(to, scope.each_pawn(), effect.span), condition)
            }
            EffectKind::Jump { pawn, to } => {
                if let JumperText::Which(which) = pawn {
                    self.check_which(*which, scope, effect.span);
                }
                Effect::Jump(self.jumper(pawn), self.jump_goal(to, scope, effect.span))
            }
            EffectKind::Pounce { from } => {
                let needed = Scope::choice(Argument::RightPawn);
                let help = "write it in a choice with `argument: right_pawn` or `argument: previous_pawn`";
                self.means_here(("pounce", "no choice has asked for a pawn before"), needed, scope, effect.span, help);
                Effect::Pounce(self.place(from))
            }
            EffectKind::CutBehind => {
                let help = "write it at an event of a move, such as `moved`";
                self.means_here(("cut behind", "no pawn moves here"), Scope::SPEND, scope, effect.span, help);
                Effect::CutBehind
            }
        })
    }

    /// Reports a word for a pawn, such as `this`, if it means no pawn at this point of the game.
    fn check_which(&mut self, which: Which, scope: Scope, span: Span) {
        let (name, why, needed, help) = match which {
            Which::This => (
                "this",
                "nothing happens to a single pawn here",
                Scope::qualifier(Some("pawn")),
                "`this` is the pawn of an event such as `moved` or `lost`; elsewhere `nearest`, `last_moved`, a label \
                 or `each` say which pawn is meant",
            ),
            Which::Argument => (
                "argument",
                "no choice has asked for a pawn before",
                Scope::choice(Argument::RightPawn),
                "`argument` is the pawn that a choice with the key `argument` names",
            ),
            Which::Nearest | Which::LastMoved => return,
        };
        self.means_here((name, why), needed, scope, span, help);
    }

    /// Reports an effect, or a word of an effect, that means nothing at this point of the game.
    fn means_here(&mut self, (name, why): (&str, &str), needed: Scope, scope: Scope, span: Span, help: &str) {
        if !scope.covers(needed) {
            let message = format!("`{name}` means nothing here: {why}");
            self.report.error("not-here", span, message, Some(help.to_owned()));
        }
    }

    /// Compiles the condition that chooses pawns. Without a condition all pawns are chosen.
    fn chosen_by(&mut self, condition: Option<&'d Expr>, scope: Scope, span: Span) -> Program {
        self.is_choosing = true;
        let term = self.condition(condition, scope);
        self.is_choosing = false;
        self.program(&term, condition.map_or(span, |condition| condition.span))
    }

    fn value(&mut self, expr: &'d Expr, kind: ValueType, scope: Scope) -> Program {
        let term = self.typed(expr, kind, scope);
        self.program(&term, expr.span)
    }

    /// Finds the counter that an effect changes. Returns its owner, its index, and whether it is a truth value.
    fn written(&mut self, qualifier: Option<&str>, name: &str, span: Span, scope: Scope) -> Option<(Whose, u8, bool)> {
        let found = self.find_counter(qualifier, name, span)?;
        let full = qualified_name(qualifier, name);
        self.known_here(&full, Scope::qualifier(qualifier), scope, span).then_some(found)
    }

    /// Builds the counters of a seat, the counters of the game, and the marks of a pawn.
    pub(super) fn counters(&mut self) -> [Vec<Counter>; 3] {
        let document = self.document;
        [document.seat_counters(), document.game_counters(), document.pawn_marks()]
            .map(|lines| lines.iter().map(|line| self.counter_line(line)).collect())
    }

    fn counter_line(&mut self, line: &CounterLine) -> Counter {
        let name = &line.name.value;
        if let Some(option) = self.document.options.iter().find(|option| option.name.value == *name) {
            options::report_both(&line.name, "counter or mark", &option.name, "table option", &mut self.report);
        }
        options::check_name(&line.name, &mut self.report);
        // The casts lose nothing, because the language allows only bounds that fit an `i16`.
        let range = line.range.as_ref().map_or((0, 1), |(from, to)| (from.value as i16, to.value as i16));
        let start = line.start.as_ref().map_or(0.clamp(range.0, range.1), |start| start.value as i16);
        Counter { name: name.clone(), truth: line.range.is_none(), range, start, hidden: line.hidden }
    }
}
