//! Helpers of the tests of pictures and explanations.

use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) mod compared;
pub(crate) mod folder;
pub(crate) mod schema;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs the command at the root of the repository.
pub(crate) fn command(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pto"))
        .args(args)
        .current_dir(root())
        .output()
        .expect("the command starts")
}

/// A shape of a picture, as far as the tests look.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    Group,
    /// The end of a group.
    End,
    Rect {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        fill: String,
    },
    Text {
        x: i32,
        y: i32,
        text: String,
    },
    Polyline(Vec<(i32, i32)>),
    Other,
}

/// The shapes of a picture in order; fails if it is anything but plain, well-formed SVG.
pub(crate) fn drawn(svg: &str) -> Vec<Drawn> {
    let mut shapes = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a closed tag");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            if name == "g" {
                shapes.push(Drawn::End);
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        let known = ["svg", "title", "style", "rect", "g", "text", "polyline", "polygon"];
        assert!(known.contains(&name), "<{name}> in a picture");
        assert!(!tag.contains("style=") && !tag.contains("class=") && !tag.contains("href"), "<{tag}>");
        if !tag.ends_with('/') {
            open.push(name);
        }
        shapes.push(shape(name, tag, text));
    }
    assert!(open.is_empty(), "{open:?} stay open");
    shapes
}

fn shape(name: &str, tag: &str, text: &str) -> Drawn {
    let attribute = |key: &str| {
        let (_, rest) =
            tag.split_once(&format!(" {key}=\"")).unwrap_or_else(|| panic!("no {key} in <{tag}>"));
        rest.split('"').next().unwrap_or_default().to_owned()
    };
    let number = |key: &str| attribute(key).parse::<i32>().unwrap_or_else(|_| panic!("{key} of <{tag}>"));
    match name {
        "g" => Drawn::Group,
        "rect" if tag.contains(" x=") => Drawn::Rect {
            x: number("x"),
            y: number("y"),
            width: number("width"),
            height: number("height"),
            fill: attribute("fill"),
        },
        "text" => Drawn::Text { x: number("x"), y: number("y"), text: text.to_owned() },
        "polyline" => {
            let point = |point: &str| {
                let (x, y) = point.split_once(',').expect("a point");
                (x.parse().expect("x"), y.parse().expect("y"))
            };
            Drawn::Polyline(attribute("points").split(' ').map(point).collect())
        }
        _ => Drawn::Other,
    }
}

/// The pixels that a text of a picture takes, estimated from the width of letters.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// The texts of a picture; those in the background, which others may cover, are left out.
pub(crate) fn written(svg: &str) -> Vec<Written> {
    let mut texts = Vec::new();
    let mut group = String::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a closed tag");
        if tag.starts_with("g ") || tag == "/g" {
            group = tag.to_owned();
        }
        // A text outside a group has all attributes itself.
        let style = if tag.contains("font-size") { tag } else { &group };
        if tag.starts_with("text ") && !style.contains("fill-opacity") {
            texts.push(place(tag, style, text));
        }
    }
    texts
}

fn place(tag: &str, style: &str, text: &str) -> Written {
    let number = |tag: &str, key: &str| {
        let (_, rest) =
            tag.split_once(&format!(" {key}=\"")).unwrap_or_else(|| panic!("no {key} in <{tag}>"));
        rest.split('"').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    let (x, y, size) = (number(tag, "x"), number(tag, "y"), number(style, "font-size"));
    let em = match (style.contains("monospace"), style.contains("bold")) {
        (true, _) => 0.6,
        (false, true) => 0.61,
        (false, false) => 0.54,
    };
    let mut letters = text.to_owned();
    for (entity, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        letters = letters.replace(entity, letter);
    }
    let width = em * size * letters.chars().count() as f64;
    let left = match (style.contains("\"middle\""), style.contains("\"end\"")) {
        (true, _) => x - width / 2.0,
        (_, true) => x - width,
        _ => x,
    };
    Written { left, right: left + width, top: y - 0.72 * size, bottom: y + 0.2 * size }
}

/// Fails if a text of a picture leaves the canvas or covers another.
pub(crate) fn texts_are_apart(svg: &str, name: &str) {
    let size = |key: &str| {
        let (_, rest) = svg.split_once(&format!(" {key}=\"")).expect("a size");
        rest.split('"').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    let (width, height) = (size("width"), size("height"));
    let texts = written(svg);
    for (at, text) in texts.iter().enumerate() {
        let inside = text.left >= 0.0 && text.right <= width && text.top >= 0.0 && text.bottom <= height;
        assert!(inside, "{name}: {text:?} leaves {width} x {height}");
        for other in &texts[..at] {
            let across = text.left < other.right && other.left < text.right;
            let along = text.top < other.bottom && other.top < text.bottom;
            assert!(!(across && along), "{name}: {text:?} covers {other:?}");
        }
    }
}
