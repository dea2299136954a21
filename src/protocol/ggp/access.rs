//! Access control for the GGP player. Game managers may send requests. Foreign web pages in a browser on this machine
//! may not.
//!
//! A web page can send requests to the loopback address. The header `Origin` or `Sec-Fetch-Site` reveals such a
//! request. With DNS rebinding, the page's own host name resolves to this machine. Then the header `Host` reveals the
//! request.

use std::net::IpAddr;

/// The headers of a request that identify the sender.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asker {
    /// `Host`.
    pub host: Option<String>,
    /// `Origin`.
    pub origin: Option<String>,
    /// `Sec-Fetch-Site`.
    pub site: Option<String>,
}

/// The hosts and origins whose requests are answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Names of this machine beside `localhost` and any number address.
    pub hosts: Vec<String>,
    /// Pages that may ask, as browsers name them: `http://localhost:8000`.
    pub origins: Vec<String>,
}

impl Access {
    /// Why a request is not answered; `None` if it is.
    #[must_use]
    pub fn refusal(&self, asker: &Asker) -> Option<&'static str> {
        if asker.host.as_deref().is_some_and(|host| !self.knows(host)) {
            return Some("the request names a host that is not this player's: see --host");
        }
        match &asker.origin {
            Some(origin) if !self.origins.contains(origin) => {
                Some("the request comes from a page of another site: see --allow-origin")
            }
            Some(_) => None,
            None => asker
                .site
                .as_deref()
                .is_some_and(|site| !matches!(site, "none" | "same-origin"))
                .then_some("the request comes from a page of another site: see --allow-origin"),
        }
    }

    fn knows(&self, host: &str) -> bool {
        let name = without_port(host);
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || literal.parse::<IpAddr>().is_ok()
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The colons of `[::1]` are inside its brackets.
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managers_are_answered_and_pages_of_strangers_are_not() {
        let access =
            Access { hosts: vec!["player.example".into()], origins: vec!["http://localhost:8000".into()] };
        let (some, none) = (|text: &str| Some(text.to_owned()), None);
        for (host, origin, site, answered) in [
            (none.clone(), none.clone(), none.clone(), true),
            (some("localhost"), none.clone(), none.clone(), true),
            (some("LOCALHOST:9147"), none.clone(), none.clone(), true),
            (some("127.0.0.1:9147"), none.clone(), none.clone(), true),
            (some("[::1]:9147"), none.clone(), none.clone(), true),
            (some("[::1]"), none.clone(), none.clone(), true),
            (some("player.example:9147"), none.clone(), none.clone(), true),
            (some("evil.example:9147"), none.clone(), none.clone(), false),
            (some(""), none.clone(), none.clone(), false),
            (some("localhost"), some("http://localhost:8000"), some("cross-site"), true),
            (some("localhost"), some("http://evil.example"), none.clone(), false),
            (some("localhost"), some("null"), none.clone(), false),
            (some("127.0.0.1"), none.clone(), some("cross-site"), false),
            (some("127.0.0.1"), none.clone(), some("none"), true),
        ] {
            let asker = Asker { host, origin, site };
            assert_eq!(access.refusal(&asker).is_none(), answered, "{asker:?}");
        }
    }
}
