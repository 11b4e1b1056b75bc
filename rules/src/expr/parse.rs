//! The parser of expressions: recursive descent from text to [`Expr`].

use crate::expr::SyntaxError;
use crate::expr::token::{ExprToken, TokenKind, tokens};
use crate::expr::tree::{Binary, Expr, Node, Unary};
use crate::source::{At, Span, Text};
use crate::word::Word;

/// Deepest nesting of brackets, `not`, minus and `if`.
const DEEPEST: usize = 24;

/// The functions whose argument is an expression. They count the pawns on the place that the expression computes.
const COUNTS: [&str; 3] = ["own_at", "enemies_at", "pawns_at"];

/// The functions that can count by a condition, which stands behind `where`.
const CHOOSING: [&str; 3] = ["pawns", "other_pawns", "enemy_pawns"];

/// A function from the characters `from..to` of an expression to their span in the file.
pub(crate) type SpanOf<'a> = &'a dyn Fn(usize, usize) -> Span;

/// Parses a whole text as one expression.
///
/// # Errors
/// The text is not an expression, or exceeds a limit. The error has the span of the first wrong token.
pub(crate) fn parse_expression(text: &str, span: SpanOf<'_>) -> Result<Expr, SyntaxError> {
    let mut cursor = Cursor::new(text, span)?;
    let expression = cursor.expression()?;
    cursor.end()?;
    Ok(expression)
}

/// The tokens of a text, and the number of those already read.
pub(crate) struct Cursor<'a> {
    tokens: Vec<ExprToken<'a>>,
    next: usize,
    depth: usize,
    span: SpanOf<'a>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, span: SpanOf<'a>) -> Result<Self, SyntaxError> {
        Ok(Self { tokens: tokens(text, span)?, next: 0, depth: 0, span })
    }

    pub(crate) fn peek(&self) -> TokenKind<'a> {
        self.tokens[self.next].kind
    }

    pub(crate) fn peek_second(&self) -> TokenKind<'a> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.next + 1).min(last)].kind
    }

    /// Reads one token. After the last one, every call returns the end token.
    pub(crate) fn advance(&mut self) -> ExprToken<'a> {
        let token = self.tokens[self.next];
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Reads the next token if it is this word or sign. Returns whether it was.
    pub(crate) fn accept(&mut self, wanted: &str) -> bool {
        let found = self.is_next(wanted);
        if found {
            self.advance();
        }
        found
    }

    fn is_next(&self, wanted: &str) -> bool {
        match self.peek() {
            TokenKind::Word(text) | TokenKind::Sign(text) => text == wanted,
            TokenKind::End => false,
        }
    }

    /// Reads the next token if it is a word of the closed list `W`.
    pub(crate) fn accept_word<W: Word>(&mut self) -> Option<W> {
        let TokenKind::Word(text) = self.peek() else { return None };
        let word = W::from_word(text)?;
        self.advance();
        Some(word)
    }

    pub(crate) fn expect(&mut self, wanted: &str) -> Result<(), SyntaxError> {
        if self.accept(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    pub(crate) fn end(&self) -> Result<(), SyntaxError> {
        match self.peek() {
            TokenKind::End => Ok(()),
            _ => {
                let mut error = self.unexpected("an operator or the end");
                let before = self.next.checked_sub(1).map(|before| self.tokens[before].kind);
                if let (Some(TokenKind::Word(number)), TokenKind::Word(name)) = (before, self.peek())
                    && number.bytes().all(|byte| byte.is_ascii_digit())
                    && error.help.is_none()
                {
                    error.help = Some(format!("a product is written `{number} * {name}`"));
                }
                if let (Some(TokenKind::Word("at")), TokenKind::Word(label)) = (before, self.peek()) {
                    error.help = Some(format!("a place is written `at({label})`"));
                }
                Err(error)
            }
        }
    }

    /// Makes the error for an unexpected token. `wanted` describes the text that should stand in place of the next
    /// token.
    pub(crate) fn unexpected(&self, wanted: &str) -> SyntaxError {
        let token = self.tokens[self.next];
        let message = match token.kind {
            TokenKind::Word(text) | TokenKind::Sign(text) => {
                format!("`{text}` where {wanted} should stand")
            }
            TokenKind::End => format!("the text ends where {wanted} should stand"),
        };
        let help = match token.kind {
            TokenKind::Word("is") => Some("`is` is written `=`".to_owned()),
            TokenKind::Word("where") => Some(
                "`where` stands after `each ..`, and in the brackets of a count, `pawns(PLACES where ..)`".to_owned(),
            ),
            TokenKind::Word(word) => operator_of(word).map(|operator| format!("`{word}` is written `{operator}`")),
            _ => None,
        };
        SyntaxError { help, ..self.error(message, token) }
    }

    pub(crate) fn error(&self, message: String, token: ExprToken<'_>) -> SyntaxError {
        SyntaxError { code: "bad-expression", message, help: None, span: (self.span)(token.from, token.to) }
    }

    /// The character at which the next token begins, as an argument for [`Cursor::since`].
    pub(crate) fn here(&self) -> usize {
        self.tokens[self.next].from
    }

    /// The span from the character `from`, as given by [`Cursor::here`], to the end of the last token that was read.
    pub(crate) fn since(&self, from: usize) -> Span {
        let to = self.tokens[self.next.saturating_sub(1)].to;
        (self.span)(from, to.max(from + 1))
    }

    pub(crate) fn expression(&mut self) -> Result<Expr, SyntaxError> {
        self.deeper(|cursor| cursor.chain(0))
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Expr, SyntaxError>) -> Result<Expr, SyntaxError> {
        if self.depth >= DEEPEST {
            return Err(SyntaxError {
                code: "expression-too-deep",
                message: format!("brackets and `if` are nested deeper than {DEEPEST}"),
                help: None,
                span: (self.span)(self.here(), self.here() + 1),
            });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Parses operands that operators of one level join. Level 0 binds weakest; the levels are `or`, `and`, sum,
    /// product. Comparisons bind more tightly than `and` and less than sums.
    fn chain(&mut self, level: usize) -> Result<Expr, SyntaxError> {
        const LEVELS: [&[(&str, Binary)]; 4] = [
            &[("or", Binary::Or)],
            &[("and", Binary::And)],
            &[("+", Binary::Add), ("-", Binary::Sub)],
            &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
        ];
        let operand = |cursor: &mut Self| match level {
            0 | 2 => cursor.chain(level + 1),
            1 => cursor.negation(),
            _ => cursor.minus(),
        };
        let from = self.here();
        let mut left = operand(self)?;
        while let Some(&(_, operator)) = LEVELS[level].iter().find(|(sign, _)| self.accept(sign)) {
            let right = operand(self)?;
            left = Expr { node: Node::Binary(operator, Box::new(left), Box::new(right)), span: self.since(from) };
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expr, SyntaxError> {
        let from = self.here();
        if !self.accept("not") {
            return self.comparison();
        }
        let inner = self.deeper(Self::negation)?;
        Ok(Expr { node: Node::Unary(Unary::Not, Box::new(inner)), span: self.since(from) })
    }

    fn comparison(&mut self) -> Result<Expr, SyntaxError> {
        let from = self.here();
        let left = self.chain(2)?;
        let node = if self.accept("in") {
            Node::In(Box::new(left), self.members()?)
        } else if self.accept("not") {
            self.expect("in")?;
            let items = self.members()?;
            let within = Expr { node: Node::In(Box::new(left), items), span: self.since(from) };
            Node::Unary(Unary::Not, Box::new(within))
        } else if let Some(operator) = self.comparator() {
            let right = self.chain(2)?;
            Node::Binary(operator, Box::new(left), Box::new(right))
        } else {
            return Ok(left);
        };
        if self.comparator().is_some() {
            self.next -= 1;
            let mut error = self.unexpected("`and`, `or` or the end");
            error.help = Some("comparisons do not chain: write `a < b and b < c`".into());
            return Err(error);
        }
        Ok(Expr { node, span: self.since(from) })
    }

    fn comparator(&mut self) -> Option<Binary> {
        const SIGNS: [(&str, Binary); 6] = [
            ("=", Binary::Eq),
            ("!=", Binary::Ne),
            ("<", Binary::Lt),
            ("<=", Binary::Le),
            (">", Binary::Gt),
            (">=", Binary::Ge),
        ];
        let found = SIGNS.iter().find(|(sign, _)| self.accept(sign));
        found.map(|&(_, operator)| operator)
    }

    fn minus(&mut self) -> Result<Expr, SyntaxError> {
        let from = self.here();
        if !self.accept("-") {
            return self.atom();
        }
        let inner = self.deeper(Self::minus)?;
        Ok(Expr { node: Node::Unary(Unary::Minus, Box::new(inner)), span: self.since(from) })
    }

    fn atom(&mut self) -> Result<Expr, SyntaxError> {
        let from = self.here();
        if self.accept("(") {
            let mut inner = self.expression()?;
            self.expect(")")?;
            inner.span = self.since(from);
            return Ok(inner);
        }
        let TokenKind::Word(word) = self.peek() else {
            return Err(self.unexpected("a number, a name or `(`"));
        };
        let node = match word {
            "yes" | "true" => Node::Truth(true),
            "no" | "false" => Node::Truth(false),
            "if" => return self.choice(),
            "and" | "or" | "in" | "then" | "else" | "where" | "not" => {
                let mut error = self.unexpected("a number, a name or `(`");
                if word == "not" {
                    error.help = Some("put brackets around it: `(not x)`".into());
                }
                return Err(error);
            }
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.number(word)?,
            _ => {
                self.advance();
                let node = self.name(word)?;
                return Ok(Expr { node, span: self.since(from) });
            }
        };
        self.advance();
        Ok(Expr { node, span: self.since(from) })
    }

    fn number(&self, word: &str) -> Result<Node, SyntaxError> {
        let token = self.tokens[self.next];
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            let mut error = self.error(format!("`{word}` is not a number"), token);
            error.help = Some(format!("a place is written `at({word})`"));
            return Err(error);
        }
        let number = word.parse::<i32>();
        let number = number.map_err(|_| self.error(format!("`{word}` is too large"), token))?;
        Ok(Node::Number(i64::from(number)))
    }

    fn name(&mut self, word: &str) -> Result<Node, SyntaxError> {
        if COUNTS.contains(&word) && self.accept("(") {
            let place = self.expression()?;
            self.expect(")")?;
            return Ok(Node::Count(word.to_owned(), Box::new(place)));
        }
        if self.accept("(") {
            if self.peek() == TokenKind::Sign("[") {
                let mut error = self.unexpected("a label, a number or a word");
                error.help = Some(format!("places stand in the round brackets alone, as in `{word}(31, 52)`"));
                return Err(error);
            }
            return if CHOOSING.contains(&word) { self.chosen(word) } else { self.call(word) };
        }
        if !self.accept(".") {
            return Ok(Node::Name(None, word.to_owned()));
        }
        match self.peek() {
            TokenKind::Word(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => {
                self.advance();
                Ok(Node::Name(Some(word.to_owned()), name.to_owned()))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn call(&mut self, word: &str) -> Result<Node, SyntaxError> {
        Ok(Node::Call(word.to_owned(), self.items(")")?))
    }

    /// Parses the arguments of a function that counts pawns: places, a condition after `where`, or both.
    fn chosen(&mut self, word: &str) -> Result<Node, SyntaxError> {
        let places = if self.is_next("where") { Vec::new() } else { self.items_before(&["where", ")"])? };
        if !self.accept("where") {
            self.expect(")")?;
            return Ok(Node::Call(word.to_owned(), places));
        }
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(Node::Chosen(word.to_owned(), places, Box::new(condition)))
    }

    fn choice(&mut self) -> Result<Expr, SyntaxError> {
        let from = self.here();
        self.expect("if")?;
        let condition = self.expression()?;
        self.expect("then")?;
        let then = self.expression()?;
        self.expect("else")?;
        // The links of a chain of `else if` do not add to the nesting depth: the chain is as deep as its deepest link.
        let otherwise = if self.is_next("if") { self.choice()? } else { self.expression()? };
        Ok(Expr { node: Node::If(Box::new(condition), Box::new(then), Box::new(otherwise)), span: self.since(from) })
    }

    /// Parses the items after `in`: a list in brackets, or one item without brackets.
    fn members(&mut self) -> Result<Vec<Text>, SyntaxError> {
        if self.accept("[") { self.items("]") } else { Ok(vec![self.label()?]) }
    }

    /// Parses the items of a list or call, at least one, and the closing bracket. Items are words and ranges.
    fn items(&mut self, close: &str) -> Result<Vec<Text>, SyntaxError> {
        let items = self.items_before(&[close])?;
        self.expect(close)?;
        Ok(items)
    }

    /// Parses at least one item, up to one of the words or signs that may stand behind the list.
    fn items_before(&mut self, ends: &[&str]) -> Result<Vec<Text>, SyntaxError> {
        let mut items = Vec::new();
        loop {
            items.push(self.label()?);
            if ends.iter().any(|end| self.is_next(end)) {
                return Ok(items);
            }
            if !self.accept(",") {
                let ends = ends.iter().map(|end| format!("`{end}`")).collect::<Vec<_>>().join(" or ");
                let mut error = self.unexpected(&format!("`,` or {ends}"));
                if self.is_next("where") {
                    let counting = CHOOSING.map(|name| format!("`{name}`")).join(" and ");
                    error.message = format!("only {counting} count by a condition");
                }
                if self.peek() == TokenKind::End {
                    let help = "inside `{ }` an expression with commas stands in quotes";
                    error.help = Some(help.into());
                }
                return Err(error);
            }
        }
    }

    /// Parses a label, number, zone or word, or a range of labels such as `h7..h1`.
    pub(crate) fn label(&mut self) -> Result<Text, SyntaxError> {
        let from = self.here();
        let TokenKind::Word(first) = self.peek() else {
            return Err(self.unexpected("a label, a number or a word"));
        };
        self.advance();
        let mut value = first.to_owned();
        if self.accept("..") {
            let TokenKind::Word(last) = self.peek() else {
                return Err(self.unexpected("the last label of the range"));
            };
            self.advance();
            value = format!("{first}..{last}");
        }
        Ok(At { value, span: self.since(from) })
    }
}

/// The operator that a word means which is written in capitals or in another language.
fn operator_of(word: &str) -> Option<&'static str> {
    let operator = match word.to_ascii_lowercase().as_str() {
        "and" | "und" => "and",
        "or" | "oder" => "or",
        "not" | "nicht" => "not",
        _ => return None,
    };
    Some(operator).filter(|operator| *operator != word)
}
