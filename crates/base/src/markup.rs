//! Text that stands in documents with markup.

/// Text as it may stand between elements and in attributes of HTML and XML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Neither allows control characters, and XML allows no references to them.
            c if c.is_control() && c != '\t' && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(escape("a < b && c == 'x'"), "a &lt; b &amp;&amp; c == &#39;x&#39;");
        assert_eq!(escape("\"x\"\t>\n\u{1b}"), "&quot;x&quot;\t&gt;\n\u{fffd}");
    }
}
