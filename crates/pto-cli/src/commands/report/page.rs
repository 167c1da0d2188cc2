//! The page: HTML, style and scripts of `report_page/`, with the data in between.

use serde::Serialize;

/// A file of the page, built into the command.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../report_page/", $name))
    };
}

const PAGE: &str = file!("page.html");
const STYLE: &str = file!("page.css");

/// The scripts, in the order in which they run.
const SCRIPTS: [&str; 11] = [
    file!("base.js"),
    file!("colours.js"),
    file!("source.js"),
    file!("findings.js"),
    file!("axis.js"),
    file!("timeline.js"),
    file!("memory.js"),
    file!("tiles.js"),
    file!("layouts.js"),
    file!("launches.js"),
    file!("main.js"),
];

/// The page for some data.
pub(super) fn of(data: &impl Serialize) -> String {
    // The data have only texts as keys, and nothing that fails to serialize.
    let data = escaped(&serde_json::to_string(data).unwrap_or_default());
    let mut page = String::with_capacity(data.len() + (1 << 17));
    let mut rest = PAGE;
    // The template is walked once, so that text of the data is never taken for a mark.
    for (mark, text) in [("/*STYLE*/", STYLE), ("/*DATA*/", &data), ("/*SCRIPT*/", &SCRIPTS.concat())] {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page + rest
}

/// JSON that is safe within a script element: nothing in it ends the element or opens a comment.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_program_stays_data() {
        let page = of(&["</script><script>alert(1)</script>", "<!-- /*SCRIPT*/", "a\u{2028}b"]);
        assert!(!page.contains("<script>alert"));
        assert!(page.contains("\\u003c!-- /*SCRIPT*/") && page.contains("a\\u2028b"));
        assert_eq!(page.matches("</html>").count(), 1);
    }

    #[test]
    fn the_page_loads_nothing() {
        for file in [&[PAGE, STYLE][..], &SCRIPTS].concat() {
            for word in ["http://", "https://", "@import", "fetch(", "XMLHttpRequest", "import("] {
                let allowed = file.replace("http://www.w3.org/2000/svg", "");
                assert!(!allowed.contains(word), "{word} in the page");
            }
        }
    }
}
