//! What the tests of pictures and explanations share.
#![allow(dead_code)]

use std::process::{Command, Output};

pub(crate) mod schema;

/// Runs the command at the root of the repository.
pub(crate) fn command(args: &[&str]) -> Output {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_pto")).args(args).current_dir(root).output().expect("the command starts")
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
