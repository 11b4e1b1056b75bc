//! The ways in which pawns come home other than by their own move. After these, and after a move that ends at home, the
//! engine checks which seats have finished.

use crate::tables::{Effect, Event, EventSet, Goal, Rules};

/// When a pawn may come home in another way than by its own move. If the rules have a condition for finishing
/// (`finish.when`), this is always, because any event, move or choice may make the condition true.
#[derive(Debug, Clone, Copy)]
pub(super) struct Homecoming {
    /// The events whose lines may bring pawns home, one bit each.
    pub by_events: EventSet,
    /// Whether the lines for the events of a move may bring pawns home.
    pub by_moves: bool,
    /// Whether choices may bring pawns home.
    pub by_choices: bool,
}

impl Homecoming {
    pub(super) fn of(rules: &Rules) -> Homecoming {
        if rules.finish.when.is_some() {
            // Any event, move or choice may make the condition for finishing true.
            return Homecoming { by_events: EventSet::MAX, by_moves: true, by_choices: true };
        }
        // A pawn that is sent does not land, so that no other line can lead it on.
        let sends_elsewhere = |effect: &Effect| match *effect {
            Effect::Send(_, Goal::Place(place)) | Effect::SendEach(_, Goal::Place(place), _) => {
                place != rules.board.home()
            }
            _ => false,
        };
        let moves_home = |effect: &Effect| effect.moves_pawns() && !sends_elsewhere(effect);
        let moves =
            |event: Event| rules.events.on[event as usize].iter().flat_map(|rule| &rule.effects).any(moves_home);
        let cut_home = rules.pawns.cut_to == rules.board.home();
        let by_captures = cut_home || moves(Event::Cut) || moves(Event::Lost);
        let brings = |effect: &Effect| moves_home(effect) || by_captures && *effect == Effect::CutBehind;
        let by_events = Event::all()
            .filter(|&event| rules.events.on[event as usize].iter().flat_map(|rule| &rule.effects).any(brings));
        let by_events = by_events.fold(0, |events, event| events | event.alone());
        let of_turns = [Event::TurnStart, Event::Throw, Event::Spent, Event::TurnEnd, Event::AnyTurnEnd, Event::Spared];
        let of_turns = of_turns.into_iter().fold(0, |events: EventSet, event| events | event.alone());
        Homecoming {
            by_events,
            by_moves: by_captures || by_events & !of_turns != 0,
            by_choices: rules.events.choices.iter().flat_map(|choice| &choice.effects).any(brings),
        }
    }
}
