//! Enumerations whose values have names, for records, GTP and the command line. Each enumeration has one table of
//! names.

/// Makes such an enumeration: `Value = "name"` for each of its values.
macro_rules! named {
    (
        $(#[$of_all:meta])*
        pub enum $name:ident { $($(#[$of:meta])* $value:ident = $text:literal,)* }
    ) => {
        $(#[$of_all])*
        pub enum $name {
            $($(#[$of])* $value,)*
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$value),*];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use named;
