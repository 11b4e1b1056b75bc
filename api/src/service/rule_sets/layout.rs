//! The board of a rule set as data.

use std::sync::Arc;

use pagade_rules::document::OptionKind;
use pagade_rules::layout::{Area, GateState};
use pagade_rules::play::{Engine, Seat};
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use pagade_rules::tables::{self, Drawn};
use serde_json::value::to_raw_value;

use crate::error::{Code, Problem, ProblemPart, internal};
use crate::game::wire::WireOptions;
use crate::model::dice::DiceShape;
use crate::model::game::RuleSetRef;
use crate::model::layout::{
    BoardArea, BoardJump, BoardLayout, BoardPlace, BoardSquare, Gate, LayoutQuery, PathEdge, PlayableTable, SeatPath,
    SquarePosition, SquareShape, SquareTag,
};
use crate::rule_sets::library::{self, CompiledRuleSet};
use crate::service::Service;
use crate::service::rule_sets::problems::not_found;

impl Service {
    /// Reads the layout of the board of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist, or the options or players do not suit it.
    pub(crate) async fn read_layout(&self, id: &str, query: &LayoutQuery) -> Result<BoardLayout, Problem> {
        let (compiled, engine) = self.table_of(id, query).await?;
        layout(&compiled.set, &engine)
    }

    /// Finds a rule set, and the engine for the options and players of a query.
    ///
    /// # Errors
    /// The rule set does not exist, or the options or players do not suit it.
    pub(in crate::service) async fn table_of(
        &self,
        id: &str,
        query: &LayoutQuery,
    ) -> Result<(Arc<CompiledRuleSet>, Arc<Engine>), Problem> {
        let version = query.version.as_deref();
        let compiled = match &query.digest {
            None => self.compiled(id, version).await?,
            Some(digest) => {
                let found = self.library.by_digest(digest).await?.filter(|compiled| {
                    compiled.set.id() == id && version.is_none_or(|version| version == compiled.set.version())
                });
                found.ok_or_else(|| not_found(id, version))?
            }
        };
        let options = chosen(&compiled.set, query.options.as_deref().unwrap_or_default());
        let players = query.players.as_deref().map(|names| names.split(',').map(str::to_owned).collect::<Vec<_>>());
        let engine = self.library.table(&compiled, &options, players.as_deref()).map_err(as_query)?;
        Ok((compiled, engine))
    }
}

/// Returns the board of a rule set with the default options and all seats.
///
/// # Errors
/// The default options contradict each other.
pub(super) fn of_default_table(set: &RuleSet) -> Result<BoardLayout, Problem> {
    layout(set, &library::table(set, &Options::default(), None)?)
}

/// Reads the options of a query. A value that does not suit its option stays a word, which the engine then refuses.
fn chosen(set: &RuleSet, text: &str) -> Options {
    let pairs = text.split(',').filter_map(|pair| pair.split_once(':'));
    let read = |(name, text): (&str, &str)| {
        let line = set.document().options.iter().find(|line| line.name.value == name);
        let value = match line.map(|line| &line.kind) {
            Some(OptionKind::Truth { .. }) => text.parse().map(OptionValue::Truth).ok(),
            Some(OptionKind::Range { .. }) => text.parse().map(OptionValue::Number).ok(),
            Some(OptionKind::OneOf { .. }) | None => None,
        };
        (name.to_owned(), value.unwrap_or_else(|| OptionValue::Word(text.to_owned())))
    };
    pairs.map(read).collect()
}

/// Makes the problems of options and players name the query parameter, instead of a place in a body.
fn as_query(problem: Problem) -> Problem {
    let parts = problem.parts.into_iter().map(|part| {
        let is_players = part.pointer.as_deref() == Some("/players");
        let parameter = if is_players { "players" } else { "options" };
        ProblemPart { pointer: None, parameter: Some(parameter.to_owned()), ..part }
    });
    Problem::several(Code::TableInvalid, parts.collect())
}

fn layout(set: &RuleSet, engine: &Engine) -> Result<BoardLayout, Problem> {
    let options = engine.identity.options.iter().cloned().collect();
    let tables = set.playable_tables(&options).map_err(|problems| internal(format!("{problems:?}")))?;
    let label = |place| engine.label(place).to_owned();
    let jumps = engine.jumps().into_iter().map(|(from, to)| BoardJump { from: label(from), to: label(to) });
    Ok(BoardLayout {
        rule_set: RuleSetRef {
            id: set.id().to_owned(),
            version: set.version().to_owned(),
            digest: set.digest().to_owned(),
        },
        options: to_raw_value(&WireOptions(&engine.identity.options)).map_err(internal)?,
        columns: engine.board.grid.columns,
        rows: engine.board.grid.rows,
        arms: engine.board.grid.arms,
        width: engine.board.grid.size().0,
        height: engine.board.grid.size().1,
        squares: squares(engine),
        seats: engine.all_seats().map(|seat| seat_path(engine, seat)).collect(),
        out: label(pagade_rules::play::PathPlace::OUT),
        home: label(engine.board.home()),
        middle: engine.middle().map(|Area { x, y, columns, rows }| BoardArea { x, y, columns, rows }),
        cut_to: label(engine.pawns.cut_to),
        jumps: jumps.collect(),
        pawns: engine.pawns.count,
        dice: DiceShape::from(&engine.throws.dice),
        tables: tables.into_iter().map(PlayableTable::from).collect(),
        lines: engine.lines_in_force().map(|line| line.name.clone()).collect(),
    })
}

fn squares(engine: &Engine) -> Vec<BoardSquare> {
    let tagged = engine.tagged_squares();
    let name = |seat: Seat| engine.seat_name(seat).to_owned();
    let square = |square| {
        let tags = tagged.iter().flat_map(|tag| {
            let here = tag.squares.iter().filter(move |(at, _)| *at == square);
            here.map(|(_, seat)| SquareTag { tag: tag.name.to_owned(), seat: seat.map(name) })
        });
        let at = engine.square_name(square);
        BoardSquare {
            id: at.to_string(),
            x: at.x,
            y: at.y,
            shape: SquareShape::Square,
            drawn: engine.board.grid.arms.map(|_| {
                let Drawn { x, y, turn } = engine.drawn(square);
                SquarePosition { x, y, turn }
            }),
            seat: engine.owner(square).map(name),
            tags: tags.collect(),
        }
    };
    engine.squares().map(square).collect()
}

fn seat_path(engine: &Engine, seat: Seat) -> SeatPath {
    let label = |place| engine.label(place).to_owned();
    let info = &engine.seating.seats[seat.index()];
    let partner = engine.seating.partner[seat.index()];
    let places = engine.board.places().map(|place| BoardPlace {
        place: label(place),
        square: engine.square(seat, place).map(|square| engine.square_name(square).to_string()),
        zone: engine.board.zones[usize::from(engine.board.zone[place.index()])].0.clone(),
    });
    let edges = engine.path_steps().into_iter().map(|step| PathEdge {
        from: label(step.from),
        to: label(step.to),
        gate: step.gate.map(|gate| match gate {
            GateState::Open => Gate::Open,
            GateState::Closed => Gate::Closed,
        }),
    });
    SeatPath {
        seat: info.name.clone(),
        paint: info.paint.clone(),
        plays: engine.seating.colours.contains(&seat),
        player: (engine.seating.shares && engine.seating.colours.contains(&seat))
            .then(|| engine.seat_name(engine.seating.player[seat.index()]).to_owned()),
        partner: (partner != seat).then(|| engine.seat_name(partner).to_owned()),
        start: engine.pawns.start[seat.index()]
            .iter()
            .take(usize::from(engine.pawns.count))
            .map(|&place| label(place))
            .collect(),
        places: places.collect(),
        edges: edges.collect(),
    }
}

impl From<&tables::Dice> for DiceShape {
    fn from(dice: &tables::Dice) -> Self {
        match dice.clone() {
            tables::Dice::Faces { count, faces } => Self::Faces { count, faces },
            tables::Dice::Lots { count, values } => Self::Lots { count, values },
        }
    }
}
