//! Compares compiled programs with a direct evaluation of their expressions.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::builder::Builder;
use super::super::findings::Findings;
use super::super::scope::{FACTS, FUNCTIONS, Scope};
use super::super::{options, path};
use super::{SMALL, document};
use crate::document::{Binary, Expr, Node, Unary};
use crate::source::Span;
use crate::tables::{Fact, Op, Program};

fn expr(node: Node) -> Expr {
    Expr { node, span: Span::default() }
}

/// Generates expressions of numbers, from constants, an option and facts.
fn number() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (-20i64..20).prop_map(Node::Number),
        prop::sample::select(vec!["need", "number", "throws", "own_there"])
            .prop_map(|name| Node::Name(None, name.to_owned())),
    ]
    .prop_map(expr);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let op = prop::sample::select(vec![Binary::Add, Binary::Sub, Binary::Mul]);
        let by = prop::sample::select(vec![(Binary::Div, 2), (Binary::Div, 4), (Binary::Rem, 3)]);
        prop_oneof![
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| expr(Node::Binary(op, Box::new(a), Box::new(b)))),
            (inner.clone(), by).prop_map(|(a, (op, by))| expr(Node::Binary(
                op,
                Box::new(a),
                Box::new(expr(Node::Number(by)))
            ))),
            inner.clone().prop_map(|a| expr(Node::Unary(Unary::Minus, Box::new(a)))),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| {
                let condition = expr(Node::Binary(Binary::Lt, Box::new(a.clone()), Box::new(b.clone())));
                expr(Node::If(Box::new(condition), Box::new(b), Box::new(c)))
            }),
        ]
    })
}

/// Generates conditions that compare numbers.
fn condition() -> impl Strategy<Value = Expr> {
    let compare = prop::sample::select(vec![Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge]);
    let leaf = prop_oneof![
        (compare, number(), number()).prop_map(|(op, a, b)| expr(Node::Binary(op, Box::new(a), Box::new(b)))),
        prop::sample::select(vec!["walls", "joint"]).prop_map(|name| expr(Node::Name(None, name.to_owned()))),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let op = prop::sample::select(vec![Binary::And, Binary::Or]);
        prop_oneof![
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| expr(Node::Binary(op, Box::new(a), Box::new(b)))),
            inner.prop_map(|a| expr(Node::Unary(Unary::Not, Box::new(a)))),
        ]
    })
}

/// Evaluates an expression by walking its syntax tree.
fn plainly(expr: &Expr, names: &BTreeMap<&str, i64>) -> i64 {
    let at = |expr: &Expr| plainly(expr, names);
    match &expr.node {
        Node::Number(value) => *value,
        Node::Truth(value) => i64::from(*value),
        Node::Name(_, name) => names[name.as_str()],
        Node::Unary(Unary::Minus, a) => -at(a),
        Node::Unary(Unary::Not, a) => i64::from(at(a) == 0),
        Node::If(a, b, c) => at(if at(a) != 0 { b } else { c }),
        Node::Binary(op, a, b) => {
            let (a, b) = (at(a), at(b));
            match op {
                Binary::Or => i64::from(a != 0 || b != 0),
                Binary::And => i64::from(a != 0 && b != 0),
                Binary::Eq => i64::from(a == b),
                Binary::Ne => i64::from(a != b),
                Binary::Lt => i64::from(a < b),
                Binary::Le => i64::from(a <= b),
                Binary::Gt => i64::from(a > b),
                Binary::Ge => i64::from(a >= b),
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a.div_euclid(b),
                Binary::Rem => a.rem_euclid(b),
            }
        }
        Node::Call(..) | Node::Chosen(..) | Node::Count(..) | Node::In(..) => unreachable!("not made here"),
    }
}

/// Runs a program on a simple stack machine.
fn run(code: &[Op], program: Program, names: &BTreeMap<&str, i64>) -> i64 {
    let mut stack = Vec::new();
    let mut ops = code[program.start as usize..][..program.len as usize].iter();
    while let Some(op) = ops.next() {
        let value = match op {
            Op::AndThen(left_out) | Op::OrElse(left_out) => {
                let holds = *stack.last().unwrap() != 0;
                if holds == matches!(op, Op::OrElse(_)) {
                    ops = ops.as_slice()[usize::from(*left_out)..].iter();
                }
                continue;
            }
            Op::Push(value) => i64::from(*value),
            Op::Fact(Fact::Number) => names["number"],
            Op::Fact(Fact::Throws) => names["throws"],
            Op::Fact(Fact::OwnThere) => names["own_there"],
            Op::Fact(Fact::Joint) => names["joint"],
            Op::Half => stack.pop().map(|a: i64| a.div_euclid(2)).unwrap(),
            Op::Not => i64::from(stack.pop() == Some(0)),
            Op::Pick => {
                let (then, condition, other) = (stack.pop().unwrap(), stack.pop().unwrap(), stack.pop().unwrap());
                if condition != 0 { then } else { other }
            }
            op => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Rem => a.rem_euclid(b),
                    Op::Eq => i64::from(a == b),
                    Op::Lt => i64::from(a < b),
                    Op::Le => i64::from(a <= b),
                    Op::And => i64::from(a != 0 && b != 0),
                    Op::Or => i64::from(a != 0 || b != 0),
                    other => unreachable!("{other:?}"),
                }
            }
        };
        stack.push(value);
        assert!(stack.len() <= Op::STACK);
    }
    assert_eq!(stack.len(), 1);
    stack[0]
}

proptest! {
    #[test]
    fn programs_say_what_was_written(
        written in condition(),
        number in 0i64..12,
        throws in 0i64..4,
        own_there in 0i64..4,
        joint in 0i64..2,
    ) {
        let document = document(SMALL);
        let path = path::read(&document, &mut Findings::default());
        let mut builder = Builder::new(&document, &path, options::defaults(&document));
        let term = builder.typed(&written, super::super::scope::ValueType::Truth, Scope::SPEND);
        let program = builder.program(&term, written.span);
        // The builder refuses an expression that is too large or too deep. Such an expression cannot be compared.
        prop_assume!(builder.report.errors() == 0);
        let mut names = BTreeMap::from([("need", 1), ("walls", 0)]);
        names.extend([("number", number), ("throws", throws), ("own_there", own_there), ("joint", joint)]);
        prop_assert_eq!(run(&builder.code, program, &names), plainly(&written, &names));
    }
}

#[test]
fn every_name_is_in_the_reference() {
    let reference = include_str!("../../../README.md");
    let functions = FUNCTIONS.iter().map(|(name, _)| format!("`{name}("));
    let missing: Vec<_> = FACTS
        .iter()
        .map(|(name, ..)| format!("`{name}`"))
        .chain(functions)
        .filter(|span| !reference.contains(span))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
