//! Who is served, and what each of them sees.

use std::sync::Arc;

use tokio::sync::{Mutex, Semaphore};

use super::approval::Pending;
use crate::config::{Config, Principal};
use crate::policy::{Skill, ToolPolicy};
use crate::registry::{OwnGrants, Registry};
use crate::schema::Declarations;

/// A principal that is served.
pub struct Served {
    /// The name that tools, homes, flocks and records have for it.
    pub name: String,
    /// The skill in force.
    pub skill: Option<Skill>,
    /// What it is given in place of what the files are given for all.
    pub own: Option<Arc<OwnGrants>>,
    /// How many calls of it run at a time, where that is fewer than of others.
    pub(super) places: Option<Semaphore>,
    /// Whether it is the operator at the other end of stdio, who may read what only operators
    /// should: places of files, keys of the configuration.
    pub is_operator: bool,
    /// Questions to its client that wait for a second call.
    pub(super) pending: Pending,
    view: Mutex<Option<Arc<View>>>,
}

/// The tools of a principal at one moment.
pub struct View {
    /// The loaded tools that it was made from.
    pub registry: Arc<Registry>,
    /// Which of them the principal may reach.
    pub policy: Arc<ToolPolicy>,
    /// How they are told of.
    pub declarations: Declarations,
}

impl Served {
    /// The user of this machine.
    #[must_use]
    pub fn local(config: &Config, skill: Option<Skill>, is_operator: bool) -> Self {
        Self::new(config.user.name.clone(), skill, None, is_operator)
    }

    /// A principal of the configuration.
    #[must_use]
    pub fn principal(config: &Config, principal: &Principal, skill: Option<Skill>) -> Self {
        let own = OwnGrants {
            limits: principal.limits.clone(),
            http: principal.http.clone(),
            env: principal.env.clone(),
            private: config.private.clone(),
        };
        let mut served = Self::new(principal.name.clone(), skill, Some(Arc::new(own)), false);
        served.places = principal
            .concurrent
            .and_then(|count| usize::try_from(count).ok())
            .map(Semaphore::new);
        served
    }

    fn new(
        name: String,
        skill: Option<Skill>,
        own: Option<Arc<OwnGrants>>,
        is_operator: bool,
    ) -> Self {
        Self {
            name,
            skill,
            own,
            places: None,
            is_operator,
            pending: Pending::default(),
            view: Mutex::default(),
        }
    }

    /// What the principal sees of `registry`. It is worked out once per registry.
    pub async fn view(&self, config: &Config, registry: &Arc<Registry>) -> Arc<View> {
        // Whoever comes meanwhile waits: hooks are asked once.
        let mut known = self.view.lock().await;
        if let Some(view) = known.as_ref()
            && Arc::ptr_eq(&view.registry, registry)
        {
            return Arc::clone(view);
        }
        let policy = registry
            .policy(config, &self.name, self.skill.as_ref())
            .await;
        let view = Arc::new(View {
            declarations: Declarations::new(registry, &policy, self.own.as_deref()),
            registry: Arc::clone(registry),
            policy: Arc::new(policy),
        });
        *known = Some(Arc::clone(&view));
        view
    }
}
