//! What is made of everything that an agent lets us know while it works.

use agent_client_protocol::v1::schema::{
    RequestPermissionRequest, RequestPermissionResponse, SessionNotification, SessionUpdate,
};

use super::connection::{Event, Permit};
use super::permission::{Permissions, decide};
use super::record::{News, Record};
use super::usage::Account;
use crate::agent::Question;
use crate::bundled::kit::{Observer, Reply};
use crate::wording::{excerpt, one_line};

/// How long nothing is told of an agent at work, in milliseconds. Whoever waits for a sign of life
/// sees one at least that often.
const LONGEST_SILENCE: u64 = 10_000;

/// Hears an agent.
#[derive(Debug, Default)]
pub struct Hearing {
    /// How lines about it call the agent.
    agent: String,
    /// The session that is listened to.
    pub session: String,
    /// Whether the agent was asked in that session: what comes before is its history.
    is_prompted: bool,
    /// How many turns there were when it was asked first in a session with a past, of which it may
    /// still be telling; none when it was asked again, or the session has no past.
    began_at: Option<usize>,
    has_past: bool,
    /// What it says and does.
    pub record: Record,
    /// What that costs.
    pub account: Account,
    /// What it is told when it asks for a permission.
    permissions: Permissions,
    told_ms: u64,
    is_thinking: bool,
    /// Whether it was said that there is nobody to ask.
    has_warned: bool,
    /// Whether something it asked for was denied since it was asked last.
    pub was_denied: bool,
}

impl Hearing {
    /// Hears an agent that has these permissions.
    pub fn new(permissions: Permissions) -> Self {
        Self {
            permissions,
            ..Self::default()
        }
    }

    /// The agent begins to work. `now_ms` is in milliseconds since 1970.
    pub fn begin(&mut self, agent: &str, now_ms: u64) {
        agent.clone_into(&mut self.agent);
        self.told_ms = now_ms;
    }

    /// Listens to this session from here on.
    pub fn open_session(&mut self, session: &str, is_new: bool) {
        session.clone_into(&mut self.session);
        self.is_prompted = false;
        self.has_past = !is_new;
        self.account.open_session(is_new);
    }

    /// The agent is asked now.
    pub fn prompt(&mut self) {
        self.was_denied = false;
        let is_first = !std::mem::replace(&mut self.is_prompted, true);
        self.began_at = (is_first && self.has_past).then(|| self.record.turns().len());
    }

    /// Takes in what came. `now_ms` is in milliseconds since 1970.
    pub fn hear(&mut self, event: Event, now_ms: u64, observer: &mut dyn Observer) {
        match event {
            Event::Update(update) => {
                if let Some(news) = self.update(*update) {
                    self.tell(news, now_ms, observer);
                }
            }
            Event::Permission(request, permit) => {
                let words = self.permission(*request, permit, observer);
                self.say(&words, now_ms, observer);
            }
            Event::Stray(line) => observer.program_stderr((line + "\n").as_bytes()),
            Event::Stderr(bytes) => observer.program_stderr(&bytes),
            Event::Reply(_) | Event::Broken(_) => {}
        }
    }

    fn update(&mut self, notification: SessionNotification) -> Option<News> {
        if *notification.session_id.0 != *self.session {
            return None;
        }
        if let SessionUpdate::UsageUpdate(usage) = &notification.update
            && let Some(cost) = &usage.cost
        {
            self.account.cost(cost, self.is_prompted);
        }
        if !self.is_prompted {
            return None;
        }
        if matches!(notification.update, SessionUpdate::UserMessageChunk(_))
            && let Some(turn) = self.began_at
        {
            // Nobody but the history speaks for us.
            self.record.forget_since(turn);
            return Some(News::AtWork);
        }
        Some(self.record.update(notification.update))
    }

    fn permission(
        &mut self,
        request: RequestPermissionRequest,
        permit: Permit,
        observer: &mut dyn Observer,
    ) -> String {
        let call = &request.tool_call;
        let about = call.fields.title.as_deref().unwrap_or(&call.tool_call_id.0);
        let title = format!("{} asks for permission: {about}", self.agent);
        let mut ask = |question: &Question| {
            let reply = observer.ask(question);
            if reply == Reply::NobodyThere && !self.has_warned {
                self.has_warned = true;
                observer.warning("there is no terminal to ask at: what needs permission is denied");
            }
            reply
        };
        let decision = decide(self.permissions, &title, &request.options, &mut ask);
        self.was_denied |= decision.is_denial;
        // It fails when the agent is gone, which is told elsewhere.
        let _ = permit.respond(RequestPermissionResponse::new(decision.outcome));
        self.record.permission(request.tool_call, &decision.words)
    }

    fn tell(&mut self, news: News, now_ms: u64, observer: &mut dyn Observer) {
        let was_thinking = std::mem::replace(&mut self.is_thinking, news == News::Thinking);
        let silence = now_ms.saturating_sub(self.told_ms);
        match news {
            News::Called(title) => self.say(&format!("calls {title}"), now_ms, observer),
            News::Ended(words) => self.say(&words, now_ms, observer),
            News::Thinking if !was_thinking || silence > LONGEST_SILENCE => {
                self.say("thinking", now_ms, observer);
            }
            News::AtWork if silence > LONGEST_SILENCE => self.say("at work", now_ms, observer),
            News::Thinking | News::AtWork => {}
        }
    }

    fn say(&mut self, words: &str, now_ms: u64, observer: &mut dyn Observer) {
        self.told_ms = now_ms;
        let line = format!("{}: {}", self.agent, excerpt(&one_line(words)));
        observer.progress(&line);
    }
}
