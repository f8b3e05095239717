//! Bytes of a stream of server-sent events → what each event holds. Pure.
//!
//! Forgiving: services part lines and events in every way there is, and some leave the empty line
//! between events out.

use serde_json::Value;

/// What came.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A JSON value.
    Data(Value),
    /// The service says that this is all.
    Done,
    /// An event that holds no JSON.
    Unreadable(String),
}

/// Puts events together from pieces that are cut anywhere.
#[derive(Debug, Default)]
pub struct Events {
    /// The line that is not at its end yet. Bytes, since a character may be cut too.
    line: Vec<u8>,
    /// What the lines of the event held so far.
    data: String,
    after_return: bool,
}

impl Events {
    /// Takes more bytes; the events that are whole by now.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            let follows_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if follows_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// There are no more bytes; the events that only lacked their end.
    pub fn finish(&mut self) -> Vec<Event> {
        let mut events: Vec<_> = self.end_line().into_iter().collect();
        events.extend(self.unreadable());
        events
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}');
        if line.is_empty() {
            return self.unreadable();
        }
        // Comments and the other fields say nothing about the answer.
        let data = line.strip_prefix("data:")?;
        let data = data.strip_prefix(' ').unwrap_or(data);
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(data);
        if self.data.trim() == "[DONE]" {
            self.data.clear();
            return Some(Event::Done);
        }
        let value = serde_json::from_str(&self.data).ok()?;
        self.data.clear();
        Some(Event::Data(value))
    }

    fn unreadable(&mut self) -> Option<Event> {
        let data = std::mem::take(&mut self.data);
        (!data.trim().is_empty()).then_some(Event::Unreadable(data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn events(pieces: &[&[u8]]) -> Vec<Event> {
        let mut events = Events::default();
        let mut all: Vec<_> = pieces.iter().flat_map(|piece| events.take(piece)).collect();
        all.extend(events.finish());
        all
    }

    #[test]
    fn every_way_to_part_events_is_read() {
        let expected = [
            Event::Data(json!({"a": 1})),
            Event::Data(json!({"b": 2})),
            Event::Done,
        ];
        for stream in [
            "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n",
            "data:{\"a\":1}\r\n\r\ndata:{\"b\":2}\r\n\r\ndata:[DONE]",
            "\u{feff}: hello\nid: 1\nevent: x\ndata: {\"a\":1}\n\n: ping\n\ndata: {\"b\":2}\n\ndata: [DONE] \n",
            "data: {\"a\":1}\ndata: {\"b\":2}\ndata: [DONE]\n",
            "data: {\"a\":\ndata: 1}\n\ndata: {\"b\":2}\rdata: [DONE]\r",
            "retry: 3\n\n\n\ndata: {\"a\":1}\n\nnonsense\ndata: {\"b\":2}\n\ndata: [DONE]\n\n",
        ] {
            assert_eq!(events(&[stream.as_bytes()]), expected, "{stream:?}");
        }
    }

    #[test]
    fn a_character_may_be_cut_anywhere() {
        let stream = "data: {\"a\":\"é€😀\"}\r\n\r\n".as_bytes();
        for at in 0..stream.len() {
            let (head, tail) = stream.split_at(at);
            let whole = [Event::Data(json!({"a": "é€😀"}))];
            assert_eq!(events(&[head, tail]), whole, "{at}");
        }
    }

    #[test]
    fn what_is_no_json_is_told() {
        assert_eq!(
            events(&[b"data: {\"a\":\n\ndata: x"]),
            [
                Event::Unreadable("{\"a\":".to_owned()),
                Event::Unreadable("x".to_owned())
            ]
        );
    }
}
