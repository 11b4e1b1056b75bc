//! The entrants of a tournament file, one by one.

use pagade_robots::RobotKind;

use super::keys::{EntrantLine, EntrantName};
use crate::error::{ProblemPart, readable};
use crate::tournament::names::{EntrantNames, check_members};

/// The robot that takes the place of people in a simulation, if the file names no other robot.
const LIKE_PEOPLE: RobotKind = RobotKind::Hunter;

/// An entrant who is entered by the organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The name, which no other entrant or member has.
    pub name: String,
    /// The names of the members of a team. Empty for an entrant who plays alone.
    pub members: Vec<String>,
    /// The robot that plays for the entrant. `None` for people.
    pub robot: Option<RobotKind>,
    /// The robot that plays for the entrant in a simulation.
    pub strength: RobotKind,
    /// JSON Pointer to the entrant in the file.
    pub pointer: String,
}

/// Players who enter by themselves before the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// Number of players.
    pub players: u32,
    /// The longest time that the start waits for these players, in seconds. `None` if it waits for ever.
    pub wait: Option<u32>,
    /// The robot that plays for these players in a simulation.
    pub strength: RobotKind,
}

/// Lists the entrants of all lines in their order, and the players who enter by themselves. `team` is the number of
/// members of an entrant. Mistakes are added to `mistakes`.
pub(super) fn all(
    lines: &[EntrantLine],
    team: usize,
    mistakes: &mut Vec<ProblemPart>,
) -> (Vec<Entrant>, Option<Awaited>) {
    let (mut entrants, mut awaited) = (Vec::new(), None);
    for (at, line) in lines.iter().enumerate() {
        let pointer = format!("/entrants/{at}");
        let like = line.plays_like.map_or(LIKE_PEOPLE, Into::into);
        if let Some(players) = line.players {
            if awaited.is_some() {
                mistakes.push(ProblemPart::at(&pointer, mistake!("a second line says how many players enter")));
            }
            awaited = Some(Awaited { players, wait: line.wait, strength: like });
        }
        entrants.extend(of_line(line, &pointer, team, like, mistakes));
    }
    check_names(&mut entrants, mistakes);
    (entrants, awaited)
}

fn of_line(
    line: &EntrantLine,
    pointer: &str,
    team: usize,
    like: RobotKind,
    mistakes: &mut Vec<ProblemPart>,
) -> Vec<Entrant> {
    let entrant = |name: &str, pointer: String| Entrant {
        name: name.to_owned(),
        members: Vec::new(),
        robot: None,
        strength: like,
        pointer,
    };
    if let Some(names) = &line.names {
        if team > 1 {
            let detail = mistake!("entrants are teams of {team}: write `team` and `members`", team);
            mistakes.push(ProblemPart::at(format!("{pointer}/names"), detail));
        }
        let named = names.iter().enumerate();
        return named.map(|(at, name)| entrant(&name.0, format!("{pointer}/names/{at}"))).collect();
    }
    if let Some(robot) = line.robots {
        let robot = RobotKind::from(robot);
        let name = line.name.clone().unwrap_or_else(|| capital(robot.name()));
        let count = line.count.unwrap_or(1);
        let numbered = |number: u32| if count == 1 { name.clone() } else { format!("{name} {number}") };
        let made = (1..=count).map(|number| {
            let name = numbered(number);
            let members = if team == 1 { 0 } else { team };
            Entrant {
                members: (1..=members).map(|member| format!("{name}, {member}")).collect(),
                robot: Some(robot),
                strength: robot,
                ..entrant(&name, pointer.to_owned())
            }
        });
        return made.collect();
    }
    let Some(name) = &line.team else { return Vec::new() };
    let members: Vec<String> = line.members.iter().flatten().map(|EntrantName(member)| member.clone()).collect();
    if !check_members(&format!("{pointer}/members"), members.len(), team, mistakes) {
        help(mistakes, "`team_size` is the number of members of every team; 1, unless the file says another number");
    }
    let robot = line.robot.map(RobotKind::from);
    vec![Entrant { members, robot, strength: robot.unwrap_or(like), ..entrant(name, format!("{pointer}/team")) }]
}

/// Brings all names into the form that the service stores and shows, and checks that people can read them, and that no
/// two of them look the same.
fn check_names(entrants: &mut [Entrant], mistakes: &mut Vec<ProblemPart>) {
    let mut names = EntrantNames::default();
    for entrant in entrants {
        let line = entrant.pointer.strip_suffix("/team").unwrap_or(&entrant.pointer);
        // The names of a team have places of their own. A mistake in a name of robots, or of their members, is reported
        // at their line.
        let has_places = entrant.pointer.ends_with("/team");
        let places = (0..entrant.members.len()).map(|at| match has_places {
            true => format!("{line}/members/{at}"),
            false => line.to_owned(),
        });
        let places: Vec<String> = std::iter::once(entrant.pointer.clone()).chain(places).collect();
        for (name, place) in std::iter::once(&mut entrant.name).chain(&mut entrant.members).zip(&places) {
            let Some(normal) = readable(place, Some(name), mistakes) else { continue };
            if !names.add(place, &normal, mistakes) {
                help(
                    mistakes,
                    "every entrant and every member has a name of its own; robots get another one by `name`",
                );
            }
            *name = normal;
        }
    }
}

/// Adds advice to the last mistake.
fn help(mistakes: &mut [ProblemPart], text: &str) {
    if let Some(last) = mistakes.last_mut() {
        last.help = Some(text.to_owned().into());
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
