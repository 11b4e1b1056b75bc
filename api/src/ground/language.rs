//! The languages that a client prefers, and the lookup of the best one that is offered (RFC 4647, section 3.4).

/// Language ranges of a client, the most preferred first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Languages(pub Vec<String>);

impl Languages {
    /// Returns the offered language that suits the client best; `None` if none does, or if the client accepts any.
    pub(crate) fn choose<'a>(&self, offered: &[&'a str]) -> Option<&'a str> {
        self.0.iter().take_while(|range| *range != "*").find_map(|range| lookup(range, offered))
    }
}

/// Returns the offered language for a range. The last subtags of the range are left out, one by one, until an offered
/// language is equal to the rest.
fn lookup<'a>(range: &str, offered: &[&'a str]) -> Option<&'a str> {
    let mut range = range;
    loop {
        if let Some(found) = offered.iter().find(|tag| tag.eq_ignore_ascii_case(range)) {
            return Some(found);
        }
        let (shorter, _) = range.rsplit_once('-')?;
        // A subtag of one character introduces the subtags after it, so it is left out together with them.
        let (before, last) = shorter.rsplit_once('-').unwrap_or(("", shorter));
        range = if last.len() == 1 && !before.is_empty() { before } else { shorter };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_range_with_an_offered_language_decides() {
        let choose = |ranges: &[&str], offered: &[&'static str]| {
            Languages(ranges.iter().map(|range| (*range).to_owned()).collect()).choose(offered)
        };
        assert_eq!(choose(&["kn-IN", "hi"], &["en", "hi", "kn"]), Some("kn"));
        assert_eq!(choose(&["PT-br"], &["pt", "pt-BR"]), Some("pt-BR"));
        assert_eq!(choose(&["zh-Hant-CN-x-private1", "hi"], &["zh-Hant", "hi"]), Some("zh-Hant"));
        assert_eq!(choose(&["pt"], &["pt-BR"]), None, "a lookup never takes a more exact language");
        assert_eq!(choose(&["fr", "*", "hi"], &["hi"]), None, "any language will do: the default");
        assert_eq!(choose(&[], &["hi"]), None);
    }
}
