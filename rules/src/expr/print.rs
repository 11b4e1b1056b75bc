//! Expressions as text again, with as few brackets as mean the same.

use std::fmt::{self, Display, Formatter};

use crate::document::{Binary, Expr, Node, Text, Unary};

impl Binary {
    /// The sign, and how tightly it binds.
    fn sign(self) -> (&'static str, u8) {
        match self {
            Self::Or => ("or", 1),
            Self::And => ("and", 2),
            Self::Eq => ("=", 4),
            Self::Ne => ("!=", 4),
            Self::Lt => ("<", 4),
            Self::Le => ("<=", 4),
            Self::Gt => (">", 4),
            Self::Ge => (">=", 4),
            Self::Add => ("+", 5),
            Self::Sub => ("-", 5),
            Self::Mul => ("*", 6),
            Self::Div => ("/", 6),
            Self::Rem => ("%", 6),
        }
    }
}

impl Display for Binary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.sign().0)
    }
}

/// Prints so that parsing gives the same expression.
impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(&self.node, 0, f)
    }
}

/// How tightly a node binds; a looser one inside a tighter one needs brackets.
fn strength(node: &Node) -> u8 {
    match node {
        // What follows `else` reaches as far as it can.
        Node::If(..) => 0,
        Node::Binary(operator, ..) => operator.sign().1,
        Node::Unary(Unary::Not, _) => 3,
        Node::In(..) => 4,
        Node::Unary(Unary::Minus, _) => 7,
        Node::Number(_) | Node::Truth(_) | Node::Name(..) | Node::Call(..) => 8,
    }
}

fn print(node: &Node, least: u8, f: &mut Formatter<'_>) -> fmt::Result {
    let own = strength(node);
    if own < least {
        f.write_str("(")?;
        print(node, 0, f)?;
        return f.write_str(")");
    }
    match node {
        Node::Number(number) => write!(f, "{number}"),
        Node::Truth(truth) => f.write_str(if *truth { "yes" } else { "no" }),
        Node::Name(None, name) => f.write_str(name),
        Node::Name(Some(whose), name) => write!(f, "{whose}.{name}"),
        Node::Call(name, items) => {
            write!(f, "{name}(")?;
            print_items(items, f)?;
            f.write_str(")")
        }
        Node::Unary(Unary::Not, inner) => {
            f.write_str("not ")?;
            print(&inner.node, own, f)
        }
        Node::Unary(Unary::Minus, inner) => {
            f.write_str("-")?;
            print(&inner.node, own, f)
        }
        Node::Binary(operator, left, right) => {
            // Equal strength groups to the left; comparisons do not chain at all.
            let left_least = if own == 4 { own + 1 } else { own };
            print(&left.node, left_least, f)?;
            write!(f, " {operator} ")?;
            print(&right.node, own + 1, f)
        }
        Node::In(inner, items) => {
            print(&inner.node, own + 1, f)?;
            f.write_str(" in [")?;
            print_items(items, f)?;
            f.write_str("]")
        }
        Node::If(condition, then, otherwise) => {
            f.write_str("if ")?;
            print(&condition.node, 0, f)?;
            f.write_str(" then ")?;
            print(&then.node, 0, f)?;
            f.write_str(" else ")?;
            print(&otherwise.node, 0, f)
        }
    }
}

fn print_items(items: &[Text], f: &mut Formatter<'_>) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        f.write_str(&item.value)?;
    }
    Ok(())
}
