//! Texts that people read: names and titles.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use pagade_rules::texts::is_control;

/// The name that games and tables keep in place of the name of a deleted player.
pub(crate) const DELETED_PLAYER: &str = "deleted player";

/// The reason why a text cannot be shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// The text has a control character, such as a line feed, or one that changes the direction of the text around it.
    Control,
    /// The text has no visible character.
    Blank,
}

/// Returns a text in its normal form: composed characters (NFC), no white space at its ends, single spaces inside.
///
/// # Errors
/// The text cannot be shown to people.
pub(crate) fn for_people(text: &str) -> Result<String, Unreadable> {
    if text.chars().any(is_control) {
        return Err(Unreadable::Control);
    }
    if text.chars().all(is_invisible) {
        return Err(Unreadable::Blank);
    }
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    Ok(composed.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns a form of the text for comparison: two texts that look the same to people have the same form. Upper and
/// lower case, the width of characters, invisible characters, and letters of other scripts that look the same make no
/// difference (Unicode Technical Standard 39, skeletons).
pub(crate) fn alike(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let plain = ComposingNormalizerBorrowed::new_nfkc().normalize(&visible).to_uppercase();
    // Some letters look the same only as capitals, and others only as small letters. (`I` looks like `l`, and `i` does
    // not.) So the capitals are replaced by letters that look the same, and then the small letters of the result.
    let capitals: String = unicode_security::skeleton(&plain).collect();
    unicode_security::skeleton(&capitals.to_lowercase()).collect()
}

/// Tells whether a character is white space or shows nothing by itself, such as a joiner.
fn is_invisible(c: char) -> bool {
    // A blank pattern of Braille, signs between annotations, format controls of hieroglyphs, and a note without a head.
    c.is_whitespace()
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || matches!(c, '\u{2800}' | '\u{FFF9}'..='\u{FFFB}' | '\u{13430}'..='\u{1345F}' | '\u{1D159}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_normal_form() {
        assert_eq!(for_people("  Jose\u{301}   Mari\u{301}a ").as_deref(), Ok("Jos\u{e9} Mar\u{ed}a"));
        // A joiner is invisible, and yet changes how a word is written in Kannada, Marathi or Persian.
        assert_eq!(for_people("ರ\u{200D}ಕ").as_deref(), Ok("ರ\u{200D}ಕ"));
        assert_eq!(for_people("👩‍👩‍👧").as_deref(), Ok("👩‍👩‍👧"));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for text in ["a\0b", "a\nb", "\u{202e}red", "a\u{2066}b", "a\u{85}b", "a\u{2028}b", "\u{200f}a"] {
            assert_eq!(for_people(text), Err(Unreadable::Control), "{text:?}");
        }
        for text in [
            "",
            "   ",
            "\u{a0}\u{3000}",
            "\u{200b}",
            "\u{200d}\u{200c}",
            "\u{3164}",
            "\u{2800}",
            "\u{feff} ",
            "\u{1d159}",
            "\u{1d173}\u{13430}",
        ] {
            assert_eq!(for_people(text), Err(Unreadable::Blank), "{text:?}");
        }
    }

    #[test]
    fn names_that_look_the_same_are_alike() {
        for (one, other) in [
            ("Asha", "asha"),
            ("Asha", "A\u{200b}sha"),
            ("Asha", "A\u{1d159}sha"),
            ("Asha", "A\u{13430}sha"),
            ("Asha", "Ａｓｈａ"),
            ("ravi k", "Ravi\u{a0}K"),
            // Cyrillic and Greek letters, and a digit, which look like Latin ones.
            ("Asha", "\u{410}sh\u{430}"),
            ("Omar", "\u{39f}mar"),
            ("Paul", "Pau1"),
            ("Paul", "PauI"),
            ("Iris", "lris"),
            ("Iris", "1ris"),
            ("IRIS", "iris"),
            ("Omar", "0mar"),
            ("deleted player", "deIeted pIayer"),
            ("Meera", "\u{41c}eera"),
            ("\u{412}\u{435}\u{440}\u{430}", "\u{432}\u{435}\u{440}\u{430}"),
            ("\u{412}era", "Bera"),
            ("Noel", "\u{39d}oel"),
            ("Zoe", "\u{396}oe"),
        ] {
            assert_eq!(alike(one), alike(other), "{one} {other}");
        }
        for (one, other) in [("Asha", "Usha"), ("Iris", "Boris"), ("ರವಿ", "ರವೀ"), ("आशा", "उषा"), ("Anna", "Anne")]
        {
            assert_ne!(alike(one), alike(other), "{one} {other}");
        }
    }
}
