//! The asynchronous part: a connection of the protocol's crate, as a talker that never waits.
//!
//! The connection is one future. It is polled by the loop that watches the agent's program,
//! whenever the agent has said something or somebody has an order; a bell wakes that loop. So no
//! runtime is needed. What is asked for, and what is made of the answers, is decided elsewhere.

use std::future::Future;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::task::{Context, Wake, Waker};

use agent_client_protocol::v1::schema::{
    CancelNotification, RequestPermissionRequest, RequestPermissionResponse, SessionNotification,
};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Agent, Client, Error, UntypedMessage};
use futures::channel::{mpsc, oneshot};
use futures::future::{Either, Shared, select};
use futures::{FutureExt, SinkExt, StreamExt};
use serde_json::Value;

use super::lines::{Line, Lines};
use crate::agent::Talker;

/// Where the permission that an agent asked for is given or refused.
pub type Permit = Responder<RequestPermissionResponse>;

/// What comes from an agent, in the order in which it came.
#[derive(Debug)]
pub enum Event {
    /// The answer to an order.
    Reply(Result<Value, Error>),
    /// Something goes on in a session.
    Update(Box<SessionNotification>),
    /// It asks for a permission.
    Permission(Box<RequestPermissionRequest>, Permit),
    /// A line on stdout that is none of the protocol.
    Stray(String),
    /// Lines on stderr.
    Stderr(Vec<u8>),
    /// The connection cannot go on: the last that comes.
    Broken(Error),
}

/// Requests that are to be made, one after the other.
pub type Orders = mpsc::UnboundedSender<UntypedMessage>;

/// The talker of one agent.
pub struct Connection {
    /// None once it is over.
    work: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// None once the agent says nothing more.
    heard: Option<mpsc::UnboundedSender<io::Result<String>>>,
    said: mpsc::UnboundedReceiver<String>,
    leave: Option<oneshot::Sender<()>>,
    lines: Lines,
    events: Sender<Event>,
    bell: UnixStream,
    ringer: Arc<Ringer>,
}

/// Rings the bell when the connection can go on.
struct Ringer {
    rings: AtomicBool,
    bell: UnixStream,
}

impl Wake for Ringer {
    fn wake(self: Arc<Self>) {
        self.rings.store(true, Ordering::SeqCst);
        // It is full only when it rings already; and it outlives whoever listens.
        let _ = (&self.bell).write(&[0]);
    }
}

impl Connection {
    /// A connection that tells what comes there, and the way to give it orders.
    pub fn new(events: Sender<Event>) -> io::Result<(Self, Orders)> {
        let (bell, other) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        other.set_nonblocking(true)?;
        let (orders, ordered) = mpsc::unbounded();
        let (heard, hears) = mpsc::unbounded();
        let (says, said) = mpsc::unbounded::<String>();
        let (leave, leaves) = oneshot::channel();
        let transport =
            agent_client_protocol::Lines::new(says.sink_map_err(io::Error::other), hears);
        let work = work(transport, ordered, leaves, events.clone());
        let connection = Self {
            work: Some(Box::pin(work)),
            heard: Some(heard),
            said,
            leave: Some(leave),
            lines: Lines::default(),
            events,
            bell,
            ringer: Arc::new(Ringer {
                rings: AtomicBool::new(true),
                bell: other,
            }),
        };
        Ok((connection, orders))
    }

    fn tell(&self, line: Line) {
        let message = match line {
            Line::Message(message) => Ok(message),
            Line::Broken(why) => Err(io::Error::other(why)),
            Line::TooLong => Err(io::Error::other("it sent a message that is too long")),
            Line::Stray(text) => {
                // Whoever listened is gone, and the connection with it.
                let _ = self.events.send(Event::Stray(text));
                return;
            }
        };
        if let Some(heard) = &self.heard {
            // It fails when the connection is over: nobody wants to hear it then.
            let _ = heard.unbounded_send(message);
        }
    }
}

impl Talker for Connection {
    fn wake(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    fn hear(&mut self, bytes: &[u8]) {
        for line in self.lines.push(bytes) {
            self.tell(line);
        }
    }

    fn hear_end(&mut self) {
        if let Some(line) = self.lines.end() {
            self.tell(line);
        }
        self.heard = None;
    }

    fn take_leave(&mut self) {
        if let Some(leave) = self.leave.take() {
            // It fails when the connection is over.
            let _ = leave.send(());
        }
    }

    fn go_on(&mut self) -> Vec<u8> {
        let mut rung = [0; 64];
        while (&self.bell).read(&mut rung).is_ok_and(|count| count > 0) {}
        let waker = Waker::from(Arc::clone(&self.ringer));
        while self.ringer.rings.swap(false, Ordering::SeqCst)
            && let Some(work) = &mut self.work
        {
            if work
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
            {
                self.work = None;
            }
        }
        let mut bytes = Vec::new();
        while let Ok(line) = self.said.try_recv() {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        bytes
    }

    fn is_over(&self) -> bool {
        self.work.is_none()
    }
}

/// The whole conversation.
async fn work(
    transport: impl agent_client_protocol::ConnectTo<Client> + 'static,
    orders: mpsc::UnboundedReceiver<UntypedMessage>,
    leave: oneshot::Receiver<()>,
    events: Sender<Event>,
) {
    let (updates, permissions) = (events.clone(), events.clone());
    // Where nobody listens to events any more, the conversation is about to end.
    let ended = Client
        .v1()
        .on_receive_notification(
            async move |update: SessionNotification, _: ConnectionTo<Agent>| {
                let _ = updates.send(Event::Update(Box::new(update)));
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest,
                        permit: Permit,
                        _: ConnectionTo<Agent>| {
                let _ = permissions.send(Event::Permission(Box::new(request), permit));
                Ok(())
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(transport, |agent: ConnectionTo<Agent>| {
            obey(agent, orders, leave.shared(), events.clone())
        })
        .await;
    if let Err(error) = ended {
        let _ = events.send(Event::Broken(error));
    }
}

/// Carries orders out until there are no more, or it is time to leave. A prompt that is being
/// answered then is cancelled, and its answer waited for.
async fn obey(
    agent: ConnectionTo<Agent>,
    mut orders: mpsc::UnboundedReceiver<UntypedMessage>,
    leave: Shared<oneshot::Receiver<()>>,
    events: Sender<Event>,
) -> Result<(), Error> {
    loop {
        let order = match select(orders.next(), leave.clone()).await {
            Either::Left((Some(order), _)) => order,
            Either::Left((None, _)) | Either::Right(_) => return Ok(()),
        };
        let session = (order.method == "session/prompt")
            .then(|| order.params["sessionId"].as_str().map(str::to_owned))
            .flatten();
        let reply = pin!(agent.send_request(order).block_task());
        let reply = match select(reply, leave.clone()).await {
            Either::Left((reply, _)) => reply,
            Either::Right((_, reply)) => {
                let Some(session) = session else {
                    return Ok(());
                };
                agent.send_notification(CancelNotification::new(session))?;
                reply.await
            }
        };
        let _ = events.send(Event::Reply(reply));
    }
}
