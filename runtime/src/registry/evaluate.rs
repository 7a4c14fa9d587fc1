//! Evaluating text with what a virtual path is given: `holm eval` and `holm repl`.

use std::sync::Arc;

use super::call::{Caller, Nested};
use super::load::located;
use super::{Call, FileGrants, Registry, Source, redact, refused};
use crate::diagnostic::{Diagnostic, Place};
use crate::egress::Journal;
use crate::sandbox::{EvaluateRequest, Evaluation, Failure, Kept, NestedCalls};

/// One instance for text after text. After a trap, and after a limit that holm enforced, the next
/// text finds a new one.
pub struct Evaluator {
    registry: Arc<Registry>,
    grants: FileGrants,
    path: String,
    call: Call,
    kept: Kept,
    /// Everything that was evaluated, since an error may come from a procedure of an earlier text.
    texts: Vec<Source>,
}

/// What a text gave.
#[derive(Debug)]
pub struct Evaluated {
    /// What came back.
    pub evaluation: Evaluation,
    /// What went wrong, and where; without the values of granted variables.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether definitions are gone, because the instance ended.
    pub lost: bool,
}

impl Evaluated {
    /// Whether the text ran to its end, or to `exit`.
    #[must_use]
    pub fn is_success(&self) -> bool {
        let outcome = &self.evaluation.outcome;
        outcome.failure.is_none() && outcome.limit.is_none()
    }
}

impl Evaluator {
    /// Evaluates with these grants, which are those of `path`. Other tools are those of `registry`.
    #[must_use]
    pub fn new(
        registry: &Arc<Registry>,
        mut grants: FileGrants,
        path: impl Into<String>,
        call: Call,
    ) -> Self {
        // There is no file that could declare anything.
        grants.accept_declared(&[], &[]);
        Self {
            registry: Arc::clone(registry),
            grants,
            path: path.into(),
            call,
            kept: Kept::default(),
            texts: Vec::new(),
        }
    }

    /// Whether there is an instance that has evaluated something.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.kept.is_begun()
    }

    /// Evaluates a text; messages call it `name`.
    ///
    /// # Errors
    ///
    /// When holm could not do it: an error of the program, and a limit, are results.
    pub async fn evaluate(&mut self, name: &str, text: &str) -> Result<Evaluated, Failure> {
        self.texts.push(Source {
            path: self.path.clone(),
            origin: name.to_owned(),
            text: text.to_owned(),
            component: None,
        });
        let instance = self.grants.for_instance();
        let journal = Journal::without(&instance.env);
        let below = self.nested(journal.clone());
        let nested: Arc<dyn NestedCalls> = Arc::<Nested>::clone(&below);
        let began = self.kept.is_begun();
        let request = EvaluateRequest {
            source: text,
            file: name,
            context_name: &self.call.context,
            unrestricted: self.grants.is_unrestricted(),
            grants: &instance,
            limits: &self.grants.limits,
            nested: &nested,
            principal: self.call.principal.name(),
            journal: &journal,
        };
        let evaluation = self
            .registry
            .sandbox
            .evaluate(request, &mut self.kept)
            .await?;
        let mut diagnostics = below.take_diagnostics();
        diagnostics.extend(self.errors(&evaluation));
        let denials = &evaluation.outcome.denials;
        let configuration = &self.registry.configuration;
        diagnostics.extend(
            denials
                .iter()
                .map(|denial| refused(denial, &self.grants, &self.path, name, configuration)),
        );
        for diagnostic in &mut diagnostics {
            diagnostic.map_text(|text| redact(text, &instance.env));
        }
        Ok(Evaluated {
            evaluation,
            diagnostics,
            lost: began && !self.kept.is_begun(),
        })
    }

    /// Whether a text ends between two data, so that no more of it is needed to evaluate it.
    ///
    /// # Errors
    ///
    /// When holm cannot tell.
    pub async fn is_complete(&mut self, text: &str) -> Result<bool, Failure> {
        let nested: Arc<dyn NestedCalls> = self.nested(Journal::new());
        let request = EvaluateRequest {
            source: text,
            file: &self.path,
            context_name: &self.call.context,
            unrestricted: self.grants.is_unrestricted(),
            grants: &self.grants.for_instance(),
            limits: &self.grants.limits,
            nested: &nested,
            principal: self.call.principal.name(),
            journal: &Journal::new(),
        };
        let sandbox = &self.registry.sandbox;
        sandbox.is_complete(request, &mut self.kept).await
    }

    /// The tools that the text may call.
    fn nested(&self, journal: Journal) -> Arc<Nested> {
        let caller = Caller {
            path: self.path.clone(),
            journal,
        };
        Nested::below(&self.registry, &self.call, 0, Vec::new(), caller)
    }

    /// A failure of holm's own, told to whoever evaluates.
    #[must_use]
    pub fn explain(&self, name: &str, failure: &Failure) -> Diagnostic {
        let mut diagnostic = match failure {
            Failure::Problem(problem) => Diagnostic::error(&problem.message),
            other => Diagnostic::error(other.to_string()),
        };
        let secrets = self.grants.read_environment();
        diagnostic.map_text(|text| redact(text, &secrets));
        diagnostic.place(Place::file(name))
    }

    /// What ended the text, where.
    fn errors(&self, evaluation: &Evaluation) -> Option<Diagnostic> {
        let outcome = &evaluation.outcome;
        let diagnostic = match (&outcome.limit, &outcome.failure) {
            (Some(reached), _) => Diagnostic::error(reached.to_string()),
            (None, Some(problem)) => Diagnostic::error(&problem.message),
            (None, None) => return None,
        };
        let last = self.texts.last();
        Some(match &outcome.failure {
            Some(problem) => {
                let named = |text: &&Source| text.origin == problem.file;
                match self.texts.iter().rev().find(named).or(last) {
                    Some(text) => located(text, problem, diagnostic),
                    None => diagnostic,
                }
            }
            None => match last {
                Some(text) => diagnostic.place(Place::file(&text.origin)),
                None => diagnostic,
            },
        })
    }
}
