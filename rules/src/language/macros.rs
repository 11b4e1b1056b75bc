//! The declaration of a map with its keys.

/// Declares a map with fixed keys and the struct that it is parsed to. The doc comments of the fields are the
/// descriptions of the keys, in the schema and in help texts.
///
/// `required` keys must be given. A missing `optional` key becomes `None`, a missing `default` key the default value of
/// its type. An error in the value of one of these keys is an error of the whole map. `needed`, `spare` and `table` are
/// like `required`, `optional` and `default`, but a wrong value does not spoil the map: it is left out or replaced by a
/// stand-in, and the report notes that parts are missing. `as ".."` is the name of a key that differs from that of the
/// field. `= Form` is the form of the value; without it, the type of the field has the form. `with clauses` adds a
/// field for the clause ids in comments.
macro_rules! shape {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $type:ident $(with $extra:ident)?: $called:literal
            $(, id $id:literal)? $(, most $most:expr)? $(, one_of $one_of:expr)? $(, variants $variants:expr)?;
        $(
            $(#[doc = $key_doc:literal])+
            $presence:ident $field:ident $(as $key:literal)?: $field_type:ty $(= $form:ty)?;
        )+
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $type {
            $($(#[doc = $key_doc])+ pub $field: $field_type,)+
            $(
                #[doc = $crate::language::macros::extra_doc!($extra)]
                pub $extra: $crate::language::macros::extra_type!($extra),
            )?
            /// The span of the whole value in the file.
            pub span: $crate::source::Span,
        }

        impl $type {
            const SHAPE: $crate::language::MapShape = $crate::language::MapShape {
                name: $called,
                doc: concat!($($doc),+).trim_ascii(),
                keys: &[$($crate::language::MapKey {
                    name: $crate::language::macros::key_name!($field $(as $key)?),
                    required: $crate::language::macros::is_required!($presence),
                    form: <$crate::language::macros::form_of!($presence $field_type $(= $form)?)
                        as $crate::language::Value>::FORM,
                    doc: concat!($($key_doc),+).trim_ascii(),
                }),+],
                variant_keys: $crate::language::macros::or!($($variants)?; &[]),
                one_of: $crate::language::macros::or!($($one_of)?; &[]),
                id: $crate::language::macros::or!($(Some($id))?; None),
                most: $crate::language::macros::or!($($most)?; $crate::language::MOST_ITEMS),
            };
        }

        impl $crate::language::Value for $type {
            type Output = Self;
            const FORM: $crate::language::Form = $crate::language::Form::Map(&Self::SHAPE);

            fn parse(
                tree: &$crate::yaml::tree::Tree,
                name: &str,
                report: &mut $crate::source::Report,
            ) -> Option<Self> {
                let is_sound = $crate::language::parse_keys(tree, &Self::SHAPE, name, report)?;
                $(let $field = $crate::language::macros::parse_field!(
                    $presence, $crate::language::macros::form_of!($presence $field_type $(= $form)?),
                    tree, $crate::language::macros::key_name!($field $(as $key)?), report
                );)+
                is_sound.then_some(Self {
                    $($field: $field?,)+
                    $($extra: $crate::yaml::clauses::$extra(tree),)?
                    span: tree.span,
                })
            }
        }
    };
}

/// The name of a key: the text after `as`, otherwise the name of the field.
macro_rules! key_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident as $key:literal) => {
        $key
    };
}

macro_rules! is_required {
    (required) => {
        true
    };
    (needed) => {
        true
    };
    ($otherwise:ident) => {
        false
    };
}

/// The form of a key: the form after `=`, otherwise that of the type of the field.
macro_rules! form_of {
    ($presence:ident $type:ty = $form:ty) => {
        $form
    };
    ($presence:ident $type:ty) => {
        $type
    };
}

macro_rules! parse_field {
    (required, $form:ty, $tree:expr, $key:expr, $report:expr) => {
        $tree.get($key).and_then(|value| <$form as $crate::language::Value>::parse(value, $key, $report))
    };
    (optional, $form:ty, $tree:expr, $key:expr, $report:expr) => {
        match $tree.get($key) {
            Some(value) => <$form as $crate::language::Value>::parse(value, $key, $report).map(Some),
            None => Some(None),
        }
    };
    (default, $form:ty, $tree:expr, $key:expr, $report:expr) => {
        match $tree.get($key) {
            Some(value) => <$form as $crate::language::Value>::parse(value, $key, $report),
            None => Some(Default::default()),
        }
    };
    (needed, $form:ty, $tree:expr, $key:expr, $report:expr) => {{
        let value = $tree.get($key).and_then(|value| <$form as $crate::language::Value>::parse(value, $key, $report));
        Some(value.unwrap_or_else(|| {
            $crate::language::refuse_section(&<$form as $crate::language::Value>::FORM, $report);
            $crate::language::ErrorValue::stand_in($tree.span)
        }))
    }};
    (spare, $form:ty, $tree:expr, $key:expr, $report:expr) => {
        Some($tree.get($key).and_then(|value| {
            let parsed = <$form as $crate::language::Value>::parse(value, $key, $report);
            if parsed.is_none() {
                $crate::language::refuse_section(&<$form as $crate::language::Value>::FORM, $report);
            }
            parsed
        }))
    };
    (table, $form:ty, $tree:expr, $key:expr, $report:expr) => {
        Some($tree.get($key).map_or_else(Default::default, |value| {
            let parsed = <$form as $crate::language::Value>::parse(value, $key, $report);
            parsed.unwrap_or_else(|| {
                $crate::language::refuse_section(&<$form as $crate::language::Value>::FORM, $report);
                Default::default()
            })
        }))
    };
}

macro_rules! or {
    ($given:expr; $otherwise:expr) => {
        $given
    };
    (; $otherwise:expr) => {
        $otherwise
    };
}

/// The type of the field for the clause ids in comments, see `with clauses` in `shape!`.
macro_rules! extra_type {
    (clauses) => {
        Vec<String>
    };
    (other_clauses) => {
        Vec<(Vec<String>, $crate::source::Span, String)>
    };
}

macro_rules! extra_doc {
    (clauses) => {
        "The clause ids in the comments of this value."
    };
    (other_clauses) => {
        "The clause ids in comments that belong to no line of a table: ids, span, and name of the section or setting."
    };
}

pub(crate) use {extra_doc, extra_type, form_of, is_required, key_name, or, parse_field, shape};
