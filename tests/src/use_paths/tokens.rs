//! Recognizes tokens of Rust source, and reads the paths that begin at them.

use proc_macro2::{Delimiter, TokenTree};

pub(super) fn as_ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

pub(super) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

pub(super) fn is_brace(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

pub(super) fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let attribute = match tokens.get(at + 1) {
        Some(TokenTree::Group(group)) if is_punct(&tokens[at], '#') => group.stream().to_string(),
        _ => return false,
    };
    attribute.replace(' ', "") == "cfg(test)"
}

/// Whether the token at `at` is `pub`, or the brackets of `pub(..)`.
pub(super) fn is_public(tokens: &[TokenTree], at: usize) -> bool {
    match &tokens[at] {
        TokenTree::Ident(ident) => ident == "pub",
        TokenTree::Group(_) => at > 0 && as_ident(&tokens[at - 1]).as_deref() == Some("pub"),
        _ => false,
    }
}

/// Reads the path that begins at a token. Returns its segments and the index of the first token after it.
pub(super) fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    while let Some(name) = tokens.get(at).and_then(as_ident) {
        segments.push(name);
        at += 1;
        let is_path = tokens.get(at).is_some_and(|token| is_punct(token, ':'))
            && tokens.get(at + 1).is_some_and(|token| is_punct(token, ':'))
            && tokens.get(at + 2).and_then(as_ident).is_some();
        if !is_path {
            break;
        }
        at += 2;
    }
    (segments, at)
}

/// Lists the paths of a `use`, one for each name in its braces. Each comes with its local name, which is `*` for a
/// glob.
pub(super) fn written_out(tokens: &[TokenTree]) -> Vec<(Vec<String>, Option<String>)> {
    let mut found = Vec::new();
    for tree in tokens.split(|token| is_punct(token, ',')).filter(|tree| !tree.is_empty()) {
        let (mut segments, end) = path_at(tree, tree.iter().position(|token| as_ident(token).is_some()).unwrap_or(0));
        let rest: Vec<&TokenTree> = tree[end..].iter().filter(|token| !is_punct(token, ':')).collect();
        match rest.as_slice() {
            [TokenTree::Group(group)] => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for (more, name) in written_out(&inner) {
                    found.push(([&segments[..], &more[..]].concat(), name));
                }
            }
            [star] if is_punct(star, '*') => found.push((segments, Some("*".to_owned()))),
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "as" => {
                found.push((segments, Some(name.to_string())));
            }
            _ => {
                let name = segments.last().cloned();
                if name.as_deref() == Some("self") && segments.len() > 1 {
                    segments.pop();
                }
                let name = segments.last().cloned();
                found.push((segments, name));
            }
        }
    }
    found
}
