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
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, behind) = rest.split_at(end);
            // The second half of an end of line that has two.
            let is_half = self.after_return && end == 0 && behind[0] == b'\n';
            self.after_return = behind[0] == b'\r';
            if !is_half {
                self.line.extend_from_slice(line);
                events.extend(self.end_line());
            }
            rest = &behind[1..];
        }
        self.after_return &= rest.is_empty();
        self.line.extend_from_slice(rest);
        events
    }

    /// There are no more bytes; the events that only lacked their end.
    pub fn finish(&mut self) -> Vec<Event> {
        let last = self.end_line();
        last.into_iter().chain(self.end_event()).collect()
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}');
        if line.is_empty() {
            return self.end_event();
        }
        // Comments and the other fields say nothing about the answer.
        let data = line.strip_prefix("data:")?;
        let data = data.strip_prefix(' ').unwrap_or(data);
        if !self.data.is_empty() {
            self.data.push('\n');
        } else if let Some(event) = event(data) {
            // The empty line behind it may be missing.
            return Some(event);
        }
        self.data.push_str(data);
        None
    }

    fn end_event(&mut self) -> Option<Event> {
        let data = std::mem::take(&mut self.data);
        if data.trim().is_empty() {
            return None;
        }
        Some(event(&data).unwrap_or(Event::Unreadable(data)))
    }
}

/// What an event's data says, if that is whole.
fn event(data: &str) -> Option<Event> {
    if data.trim() == "[DONE]" {
        return Some(Event::Done);
    }
    serde_json::from_str(data).ok().map(Event::Data)
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

    #[test]
    fn an_event_of_many_lines_is_read_once_and_not_with_each_line() {
        let halves = "data: [1,\n".repeat(200_000);
        let data = halves.replace("data: ", "").trim_end().to_owned();
        assert_eq!(events(&[halves.as_bytes()]), [Event::Unreadable(data)]);
    }
}
