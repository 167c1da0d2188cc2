#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Op;
    use crate::isa::op::form::Syntax;
    use crate::isa::op::{Page, Set};

    fn roles(page: &Page) -> Vec<&'static str> {
        match page.syntax {
            Syntax::Destination(forms) => {
                forms.iter().flat_map(|form| form.roles()).map(|role| role.name).collect()
            }
            Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => {
                kinds.iter().map(|(role, _)| *role).chain(["src", "result"]).collect()
            }
        }
    }

    fn check_panel(panel: &Panel, name: &str) {
        let mut covered = vec![false; usize::from(panel.rows) * usize::from(panel.cols)];
        for patch in panel.patches {
            for row in patch.at.0..patch.at.0 + patch.size.0 {
                for col in patch.at.1..patch.at.1 + patch.size.1 {
                    assert!(row < panel.rows && col < panel.cols, "{name}: {patch:?} leaves {}", panel.role);
                    let cell = &mut covered[usize::from(row) * usize::from(panel.cols) + usize::from(col)];
                    assert!(!*cell, "{name}: {patch:?} overlaps another in {}", panel.role);
                    *cell = true;
                }
            }
        }
        for span in panel.spans {
            let (from, to, limit) = match *span {
                Span::Rows(from, to, _) => (from, to, panel.rows),
                Span::Columns(from, to, _) => (from, to, panel.cols),
            };
            assert!(from < to && to <= limit, "{name}: {span:?} of {}", panel.role);
        }
    }

    /// Whether an arrow keeps a patch's size, transposes it, flattens it to a row, or spreads it along a side of
    /// extent 1.
    fn fits(from: (u8, u8), to: (u8, u8)) -> bool {
        let (rows, cols) = to;
        let spread = |a: u8, b: u8| a > 0 && b.is_multiple_of(a);
        let row = rows == 1 && from.0 * from.1 == cols;
        row || from == (cols, rows) || spread(from.0, rows) && spread(from.1, cols)
    }

    /// Whether the instruction has a destination; instructions that only set registers have nothing to draw.
    fn writes(page: &Page) -> bool {
        match page.syntax {
            Syntax::Destination(forms) => forms.iter().any(|form| !form.outs.is_empty()),
            Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
                patterns.iter().any(|pattern| pattern.contains("!type"))
            }
        }
    }

    #[test]
    fn pictures_are_consistent() {
        for page in Op::all().map(Op::page) {
            let drawn = matches!(page.set, Set::Layout | Set::Expand) && writes(page);
            assert!(!drawn || !page.pictures.is_empty(), "{}", page.name);
            for picture in page.pictures {
                let panels = picture.panels;
                panels.iter().for_each(|panel| check_panel(panel, page.name));
                for panel in panels {
                    assert!(roles(page).contains(&panel.role), "{} has no {}", page.name, panel.role);
                }
                let patch = |(panel, patch): (u8, u8)| panels[usize::from(panel)].patches[usize::from(patch)];
                for arrow in picture.arrows {
                    assert!(!panels[usize::from(arrow.from.0)].is_written, "{}", page.name);
                    assert!(panels[usize::from(arrow.to.0)].is_written, "{}", page.name);
                    let (from, to) = (patch(arrow.from), patch(arrow.to));
                    let parameter = from.paint == Paint::Parameter;
                    assert!(parameter || fits(from.size, to.size), "{}: {from:?} to {to:?}", page.name);
                }
            }
        }
    }
}
