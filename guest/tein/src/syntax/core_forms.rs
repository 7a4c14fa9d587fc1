//! The names of the core syntax.

/// A core form or auxiliary keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Core {
    And,
    Arrow,
    Begin,
    Case,
    CaseLambda,
    Cond,
    CondExpand,
    Define,
    DefineLibrary,
    DefineNamed,
    DefineRecordType,
    DefineSyntax,
    DefineTool,
    DefineValues,
    Do,
    Ellipsis,
    Else,
    IdentifierSyntax,
    If,
    Import,
    Include,
    IncludeCi,
    Lambda,
    Let,
    LetStar,
    LetSyntax,
    Letrec,
    LetrecStar,
    LetrecSyntax,
    Or,
    Quasiquote,
    Quote,
    Set,
    SyntaxError,
    SyntaxParameterize,
    SyntaxRules,
    Underscore,
    Unless,
    Unquote,
    UnquoteSplicing,
    When,
}

impl Core {
    /// Every form with its name in `(scheme base)`, or in the engine's own core where that has none.
    pub(crate) const ALL: [(&'static str, Self); 41] = [
        ("and", Self::And),
        ("=>", Self::Arrow),
        ("begin", Self::Begin),
        ("case", Self::Case),
        ("case-lambda", Self::CaseLambda),
        ("cond", Self::Cond),
        ("cond-expand", Self::CondExpand),
        ("define", Self::Define),
        ("define-library", Self::DefineLibrary),
        ("%define-named", Self::DefineNamed),
        ("define-record-type", Self::DefineRecordType),
        ("define-syntax", Self::DefineSyntax),
        ("define-tool", Self::DefineTool),
        ("define-values", Self::DefineValues),
        ("do", Self::Do),
        ("...", Self::Ellipsis),
        ("else", Self::Else),
        ("identifier-syntax", Self::IdentifierSyntax),
        ("if", Self::If),
        ("import", Self::Import),
        ("include", Self::Include),
        ("include-ci", Self::IncludeCi),
        ("lambda", Self::Lambda),
        ("let", Self::Let),
        ("let*", Self::LetStar),
        ("let-syntax", Self::LetSyntax),
        ("letrec", Self::Letrec),
        ("letrec*", Self::LetrecStar),
        ("letrec-syntax", Self::LetrecSyntax),
        ("or", Self::Or),
        ("quasiquote", Self::Quasiquote),
        ("quote", Self::Quote),
        ("set!", Self::Set),
        ("syntax-error", Self::SyntaxError),
        ("%syntax-parameterize", Self::SyntaxParameterize),
        ("syntax-rules", Self::SyntaxRules),
        ("_", Self::Underscore),
        ("unless", Self::Unless),
        ("unquote", Self::Unquote),
        ("unquote-splicing", Self::UnquoteSplicing),
        ("when", Self::When),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, c)| *c == self)
            .map_or("", |(n, _)| n)
    }
}
