//! The address of an API: whether a text is one, and whether it leads to this machine.

/// The address without a slash at its end; else why it is none.
///
/// A name and a password in it are refused: it is written where everybody may read it.
pub fn address(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    let rest = rest_of(text).ok_or("it must begin with `http://` or `https://`")?;
    if text.contains(|character: char| character.is_whitespace() || character.is_control()) {
        return Err("it must be one word");
    }
    if text.contains(['?', '#']) {
        return Err("it must end with the path: what begins with `?` or `#` is no part of it");
    }
    if rest.contains('@') {
        return Err("it must not hold a name or a password: give the key with `--api-key -`");
    }
    let authority = rest.split('/').next().unwrap_or_default();
    let host = host_of(authority);
    if host.is_empty() {
        return Err("it names no machine");
    }
    let behind = authority.trim_start_matches('[').get(host.len()..);
    let port = behind.and_then(|behind| behind.trim_start_matches(']').strip_prefix(':'));
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return Err("its port is no number");
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// Whether an address leads to this machine.
pub fn is_local(address: &str) -> bool {
    let authority = rest_of(address).unwrap_or_default();
    let authority = authority.split('/').next().unwrap_or_default();
    let host = host_of(authority).to_ascii_lowercase();
    let is_loopback = |ip: std::net::IpAddr| ip.is_loopback() || ip.is_unspecified();
    host == "localhost" || host.ends_with(".localhost") || host.parse().is_ok_and(is_loopback)
}

/// Whether what is sent there can be read on its way.
pub fn is_open(address: &str) -> bool {
    let is_plain = address
        .get(..7)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"));
    is_plain && !is_local(address)
}

fn rest_of(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let is_web = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    is_web.then_some(rest)
}

fn host_of(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_loses_its_last_slashes_alone() {
        for (text, taken) in [
            ("https://api.example.org/v1", "https://api.example.org/v1"),
            (" HTTP://host:80/v1// ", "HTTP://host:80/v1"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(address(text).as_deref(), Ok(taken));
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (text, why) in [
            ("", "it must begin with `http://` or `https://`"),
            (
                "api.example.org/v1",
                "it must begin with `http://` or `https://`",
            ),
            ("ftp://host", "it must begin with `http://` or `https://`"),
            ("https://", "it names no machine"),
            ("https:///v1", "it names no machine"),
            ("https://:80/v1", "it names no machine"),
            ("https://host:port/v1", "its port is no number"),
            ("http://[::1]:/v1", "its port is no number"),
            ("https://a b", "it must be one word"),
            ("https://a\nb", "it must be one word"),
            (
                "https://host/v1?key=secret",
                "it must end with the path: what begins with `?` or `#` is no part of it",
            ),
            (
                "https://me:sec/ret@host/v1",
                "it must not hold a name or a password: give the key with `--api-key -`",
            ),
        ] {
            assert_eq!(address(text), Err(why), "{text:?}");
        }
    }

    #[test]
    fn this_machine_has_several_names() {
        for (address, local, open) in [
            ("http://localhost:1/v1", true, false),
            ("http://LOCALHOST", true, false),
            ("http://my.localhost/v1", true, false),
            ("http://127.0.0.1:11434/v1", true, false),
            ("http://127.9.9.9", true, false),
            ("http://0.0.0.0:1", true, false),
            ("http://[::1]:11434/v1", true, false),
            ("https://localhost.example.org", false, false),
            ("http://notlocalhost", false, true),
            ("http://10.0.0.1/v1", false, true),
            ("https://api.openai.com/v1", false, false),
        ] {
            assert_eq!(
                (is_local(address), is_open(address)),
                (local, open),
                "{address}"
            );
        }
    }
}
