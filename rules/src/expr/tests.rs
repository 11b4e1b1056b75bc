//! Tests that an expression printed with all its brackets parses to the same expression, and that no text makes the
//! parsers panic.

use proptest::prelude::*;

use super::{parse_effect, parse_expression};
use crate::expr::{Binary, EffectKind, Expr, GoalText, JumperText, Node, Unary};
use crate::source::{At, Span, Text};
use crate::tables::{Each, Which};
use crate::units::Due;

/// The span of the characters `from..to` of a text that is the only line of its file.
fn place(from: usize, to: usize) -> Span {
    let number = |n: usize| u32::try_from(n).unwrap();
    Span { file: 0, line: 1, column: number(from + 1), width: number(to - from) }
}

fn parse(text: &str) -> Expr {
    parse_expression(text, &place).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The expression with the same span everywhere, so that `==` does not compare positions in the text.
fn bare(expression: &Expr) -> Expr {
    let inner = |inner: &Expr| Box::new(bare(inner));
    let items = |items: &[Text]| items.iter().map(|item| text(&item.value)).collect();
    let node = match &expression.node {
        Node::Unary(operator, one) => Node::Unary(*operator, inner(one)),
        Node::Binary(operator, one, two) => Node::Binary(*operator, inner(one), inner(two)),
        Node::In(one, list) => Node::In(inner(one), items(list)),
        Node::Call(name, list) => Node::Call(name.clone(), items(list)),
        Node::If(one, two, three) => Node::If(inner(one), inner(two), inner(three)),
        Node::Chosen(name, list, one) => Node::Chosen(name.clone(), items(list), inner(one)),
        other => other.clone(),
    };
    expr(node)
}

fn expr(node: Node) -> Expr {
    let span = Span::default();
    Expr { node, span }
}

fn text(value: &str) -> Text {
    At { value: value.to_owned(), span: Span::default() }
}

/// Prints an expression with all its brackets.
fn written(expression: &Expr) -> String {
    let items = |items: &[Text]| items.iter().map(|item| item.value.as_str()).collect::<Vec<_>>().join(", ");
    match &expression.node {
        Node::Number(number) => number.to_string(),
        Node::Truth(truth) => (if *truth { "yes" } else { "no" }).to_owned(),
        Node::Name(None, name) => name.clone(),
        Node::Name(Some(whose), name) => format!("{whose}.{name}"),
        Node::Call(name, list) => format!("{name}({})", items(list)),
        Node::Chosen(name, list, one) => format!("{name}({} where {})", items(list), written(one)),
        Node::Count(name, place) => format!("{name}({})", written(place)),
        Node::Unary(Unary::Not, one) => format!("(not {})", written(one)),
        Node::Unary(Unary::Minus, one) => format!("(-{})", written(one)),
        Node::Binary(operator, one, two) => format!("({} {} {})", written(one), sign(*operator), written(two)),
        Node::In(one, list) => format!("({} in [{}])", written(one), items(list)),
        Node::If(one, two, three) => format!("(if {} then {} else {})", written(one), written(two), written(three)),
    }
}

fn sign(operator: Binary) -> &'static str {
    use Binary::*;
    match operator {
        Or => "or",
        And => "and",
        Eq => "=",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
    }
}

fn expressions() -> impl Strategy<Value = Expr> {
    use Binary::*;
    let name = prop::sample::select(vec!["cuts", "doublet", "total", "mode"]);
    let items = prop::collection::vec(prop::sample::select(vec!["12", "8r", "h7..h1", "loop"]), 1..4);
    let items = items.prop_map(|items| items.into_iter().map(text).collect::<Vec<_>>());
    let leaf = prop_oneof![
        (0..200_i64).prop_map(Node::Number),
        any::<bool>().prop_map(Node::Truth),
        name.clone().prop_map(|name| Node::Name(None, name.into())),
        name.prop_map(|name| Node::Name(Some("partner".into()), name.into())),
        items.clone().prop_map(|items| Node::Call("pawns".into(), items)),
    ];
    let operators = vec![Or, And, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Mul, Div, Rem];
    leaf.prop_map(expr).prop_recursive(5, 24, 3, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            one().prop_map(|one| Node::Unary(Unary::Not, one)),
            one().prop_map(|one| Node::Unary(Unary::Minus, one)),
            (prop::sample::select(operators.clone()), one(), one())
                .prop_map(|(operator, left, right)| Node::Binary(operator, left, right)),
            (one(), items.clone()).prop_map(|(one, items)| Node::In(one, items)),
            (one(), items.clone()).prop_map(|(one, items)| Node::Chosen("other_pawns".into(), items, one)),
            one().prop_map(|one| Node::Chosen("pawns".into(), Vec::new(), one)),
            (one(), one(), one()).prop_map(|(one, two, three)| Node::If(one, two, three)),
        ]
        .prop_map(expr)
    })
}

proptest! {
    #[test]
    fn writing_and_parsing_gives_the_same_expression(expression in expressions()) {
        let printed = written(&expression);
        // The parser may refuse a printed expression only because it exceeds a limit.
        match parse_expression(&printed, &place) {
            Ok(parsed) => {
                prop_assert_eq!(bare(&parsed), expression, "{}", printed);
            }
            Err(error) => {
                let is_limit = ["expression-too-deep", "expression-too-long"].contains(&error.code);
                prop_assert!(is_limit, "{}: {:?}", printed, error);
            }
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[a-z0-9 .=+<>()\\[\\],!&-]{0,60}|\\PC{0,40}") {
        let _ = parse_expression(&text, &place);
        let _ = parse_effect(&text, &place);
    }
}

#[test]
fn operators_bind_as_readers_expect() {
    let same = |one: &str, two: &str| assert_eq!(bare(&parse(one)), bare(&parse(two)), "{one}");
    same("a or b and c", "a or (b and c)");
    same("not a = b and c", "(not (a = b)) and c");
    same("a - b - c", "(a - b) - c");
    same("a + 2 * -b", "a + (2 * (-b))");
    same("if a then b else c + 1", "if a then b else (c + 1)");
    same("total + 1 in [2, 12]", "(total + 1) in [2, 12]");
    same("total + 1 not in [2, 12]", "not (total + 1 in [2, 12])");
    same("to in loop and from not in h7..h1", "(to in [loop]) and not (from in [h7..h1])");
    same("not to not in loop", "not (not (to in [loop]))");
    same("(a - b) - (c - d)", "a - b - (c - d)");
    same("true and (if a then no else yes)", "yes and (if a then no else yes)");
}

#[test]
fn brackets_and_calls_know_where_they_stand() {
    let expression = parse("1 + (cuts * 2) - pawns(8r, h7..h1)");
    let Node::Binary(Binary::Sub, left, call) = &expression.node else {
        panic!("{expression:?}");
    };
    assert_eq!((call.span.column, call.span.width), (18, 17));
    assert_eq!((left.span.column, left.span.width), (1, 14));
    let Node::Call(_, items) = &call.node else {
        panic!("{call:?}");
    };
    assert_eq!(items[1].value, "h7..h1");
    assert_eq!((items[1].span.column, items[1].span.width), (28, 6));
}

#[test]
fn every_form_of_an_effect_is_understood() {
    let kind = |text: &str| {
        let effect = parse_effect(text, &place);
        effect.unwrap_or_else(|error| panic!("{text}: {error:?}")).kind
    };
    assert!(matches!(kind("cuts = 0"), EffectKind::Set(None, ..)));
    assert!(matches!(kind("other.won = no"), EffectKind::Set(Some(_), ..)));
    assert!(matches!(kind("game.x += 1"), EffectKind::Add(Some(_), ..)));
    assert!(
        matches!(kind("cuts -= victims"), EffectKind::Add(None, _, value) if bare(&value) == bare(&parse("-victims")))
    );
    assert!(matches!(kind("pawn.returned = yes"), EffectKind::Mark(..)));
    assert!(matches!(kind("each pawn.lifted = in_pair"), EffectKind::MarkEach(_, _, None)));
    assert!(matches!(kind("each pawn.lifted = yes where from = 3"), EffectKind::MarkEach(_, _, Some(_))));
    assert_eq!(kind("throw again"), EffectKind::ThrowAgain);
    assert_eq!(kind("throw after"), EffectKind::ThrowAfter);
    assert!(matches!(kind("bonus 20"), EffectKind::Bonus { due: Due::After, .. }));
    assert!(matches!(kind("bonus total + 1 now"), EffectKind::Bonus { due: Due::Now, .. }));
    assert!(matches!(kind("bonus 1 last"), EffectKind::Bonus { due: Due::Last, .. }));
    assert!(matches!(kind("bonus 20 times victims"), EffectKind::Bonus { times: Some(_), due: Due::After, .. }));
    assert!(matches!(kind("bonus times times 2 now"), EffectKind::Bonus { times: Some(_), due: Due::Now, .. }));
    assert_eq!(kind("drop throw"), EffectKind::DropThrow);
    assert_eq!(kind("drop hand"), EffectKind::DropHand);
    assert_eq!(kind("end turn"), EffectKind::EndTurn);
    assert_eq!(kind("undo turn"), EffectKind::UndoTurn);
    assert!(matches!(kind("send last_moved to out"), EffectKind::Send { .. }));
    assert!(matches!(kind("send each to out"), EffectKind::SendEach { each: Each::Own, condition: None, .. }));
    assert!(matches!(
        kind("send each enemy to out where from in loop"),
        EffectKind::SendEach { each: Each::Enemy, condition: Some(_), .. }
    ));
    assert!(matches!(kind("jump each to 24 where cuts > 0"), EffectKind::JumpEach { condition: Some(_), .. }));
    assert!(matches!(kind("jump 12 to 24"), EffectKind::Jump { to: GoalText::Place(to), .. } if to.value == "24"));
    assert!(matches!(
        kind("jump this by 4"),
        EffectKind::Jump { pawn: JumperText::Which(Which::This), to: GoalText::By(_) }
    ));
    assert!(matches!(kind("send this to h1"), EffectKind::Send { to: GoalText::Named(..), .. }));
    assert!(matches!(kind("send this to to - 3"), EffectKind::Send { to: GoalText::Computed(_), .. }));
    assert!(matches!(kind("send each to h1 where x"), EffectKind::SendEach { to: GoalText::Named(..), .. }));
    assert!(matches!(kind("jump each by 2 * x where x"), EffectKind::JumpEach { to: GoalText::By(_), .. }));
    assert!(matches!(kind("pounce from home"), EffectKind::Pounce { .. }));
    assert_eq!(kind("cut behind"), EffectKind::CutBehind);
    let told = parse_effect("frobnicate turn", &place).unwrap_err().help.unwrap();
    for form in ["throw again", "throw after", "bonus STEPS", "drop throw", "drop hand", "end turn", "undo turn"]
        .into_iter()
        .chain(["NAME = VALUE", "NAME += VALUE", "each pawn.", "send ", "jump ", "pounce from", "cut behind"])
    {
        assert!(told.contains(&format!("`{form}")), "{form}: {told}");
    }
}
