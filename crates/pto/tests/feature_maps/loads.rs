//! Loads of feature maps into convolution tiles.

use super::{constants, numbers, run, text_of};
use crate::support::launch::{module, program};
use pto::isa::Profile;
use pto_num::random;

/// A load of a feature map with these images, channels, planes, rows and columns.
#[derive(Clone, Copy, Debug)]
struct Map {
    n: usize,
    c: usize,
    d: usize,
    h: usize,
    w: usize,
}

/// One load: the layouts, the view and the extents of the tile.
#[derive(Debug)]
struct Load {
    from: &'static str,
    to: &'static str,
    map: Map,
    tile: Vec<usize>,
    /// Extents and strides of the view.
    view: ([usize; 5], [usize; 5]),
}

const C0: usize = 8;

impl Load {
    /// A load into a tile that is larger than the map by `more`: numbers of images, blocks and planes.
    fn new((from, to): (&'static str, &'static str), map: Map, more: [usize; 3]) -> Load {
        let Map { n, c, d, h, w } = map;
        let blocks = c.div_ceil(C0);
        let view = match from {
            "nhwc" => ([1, n, h, w, c], [0, h * w * c, w * c, c, 1]),
            "nchw" => ([1, n, c, h, w], [0, c * h * w, h * w, w, 1]),
            _ => ([n, c, d, h, w], [c * d * h * w, d * h * w, h * w, w, 1]),
        };
        let tile = match to {
            "NC1HWC0" => vec![n, blocks + more[1], h, w, C0],
            "NDC1HWC0" => vec![n, d + more[2], blocks + more[1], h, w, C0],
            "FRACTAL_Z" => vec![blocks * h * w, n.div_ceil(16) + more[0], 16, C0],
            _ => vec![blocks * d * h * w, n.div_ceil(16) + more[0], 16, C0],
        };
        Load { from, to, map, tile, view }
    }

    /// The tile's elements after the load, if they were -1, -2, ... before: elements of the map count from 1.
    fn model(&self) -> Vec<f32> {
        let Map { n, c, d, h, w } = self.map;
        let t = &self.tile;
        let mut tile: Vec<f32> = (1..=t.iter().product()).map(|number: usize| -(number as f32)).collect();
        let places = |image: usize, channel: usize, plane: usize, row: usize, col: usize| {
            let (block, rest) = (channel / C0, channel % C0);
            match self.to {
                "NC1HWC0" => (((image * t[1] + block) * h + row) * w + col) * C0 + rest,
                "NDC1HWC0" => ((((image * t[1] + plane) * t[2] + block) * h + row) * w + col) * C0 + rest,
                "FRACTAL_Z" => {
                    let line = block * h * w + row * w + col;
                    ((line * t[1] + image / 16) * 16 + image % 16) * C0 + rest
                }
                _ => {
                    let line = block * d * h * w + plane * h * w + row * w + col;
                    ((line * t[1] + image / 16) * 16 + image % 16) * C0 + rest
                }
            }
        };
        let strides = self.view.1;
        for image in 0..n {
            for channel in 0..c.next_multiple_of(C0) {
                for (plane, row, col) in
                    (0..d).flat_map(|p| (0..h).flat_map(move |r| (0..w).map(move |c| (p, r, c))))
                {
                    let at = match self.from {
                        "nhwc" => [0, image, row, col, channel],
                        "nchw" => [0, image, channel, row, col],
                        _ => [image, channel, plane, row, col],
                    };
                    let from: usize = at.iter().zip(strides).map(|(at, stride)| at * stride).sum();
                    let value = if channel < c { (from + 1) as f32 } else { 0.0 };
                    tile[places(image, channel, plane, row, col)] = value;
                }
            }
        }
        tile
    }

    /// The program: fills the tile from memory, loads the map, and stores the tile.
    fn text(&self) -> String {
        let list = |extents: &[usize]| extents.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
        let mut whole = [1; 5];
        let inner = self.tile.len().min(5);
        whole[5 - inner..].copy_from_slice(&self.tile[self.tile.len() - inner..]);
        if self.tile.len() > 5 {
            whole[0] *= self.tile[0];
        }
        let mut steps = [1; 5];
        for at in (0..4).rev() {
            steps[at] = steps[at + 1] * whole[at + 1];
        }
        let (view, plain, tile) = (text_of(self.view.0), text_of(whole), list(&self.tile));
        format!(
            "!t = !pto.conv_tile<mat, {}, {tile}xf32>\n!v = !pto.tensor_view<{view}xf32>\n!w = !pto.tensor_view<{plain}xf32>\n\
             func.func @f(%x: !pto.ptr<f32>, %o: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{\n{}{}{}{}\
             \x20 %v = pto.make_tensor_view %x, shape = [%s0, %s1, %s2, %s3, %s4], strides = [%t0, %t1, %t2, %t3, %t4] \
             {{layout = #pto.layout<{}>}} : !v\n\
             \x20 %w = pto.make_tensor_view %o, shape = [%p0, %p1, %p2, %p3, %p4], strides = [%q0, %q1, %q2, %q3, %q4] : !w\n\
             \x20 %u = pto.make_tensor_view %y, shape = [%p0, %p1, %p2, %p3, %p4], strides = [%q0, %q1, %q2, %q3, %q4] : !w\n\
             \x20 %t = pto.alloc_tile : !t\n  pto.tload ins(%w : !w) outs(%t : !t)\n  pto.tload ins(%v : !v) outs(%t : !t)\n\
             \x20 pto.tstore ins(%t : !t) outs(%u : !w)\n  return\n}}\n",
            self.to,
            constants("s", self.view.0),
            constants("t", self.view.1),
            constants("p", whole),
            constants("q", steps),
            self.from,
        )
    }

    fn judge(&self) {
        let cells: usize = self.tile.iter().product();
        let Map { n, c, d, h, w } = self.map;
        let before = (1..=cells).flat_map(|number| (-(number as f32)).to_le_bytes()).collect();
        let found =
            run(&program(&self.text(), None), &[numbers(1, n * c * d * h * w), before, vec![0; 4 * cells]]);
        assert_eq!(found.as_ref(), Ok(&self.model()), "{self:?}");
    }
}

const PAIRS: [(&str, &str); 5] = [
    ("nhwc", "NC1HWC0"),
    ("nchw", "NC1HWC0"),
    ("nchw", "FRACTAL_Z"),
    ("ncdhw", "NDC1HWC0"),
    ("ncdhw", "FRACTAL_Z_3D"),
];

#[test]
fn channels_of_a_feature_map_go_into_blocks() {
    let mut seed = 2;
    let mut number = |low: usize, high: usize| low + random::next(&mut seed) as usize % (high - low + 1);
    for case in 0..100 {
        let pair = PAIRS[case % 5];
        let d = if pair.0 == "ncdhw" { number(1, 3) } else { 1 };
        let map = Map { n: number(1, 19), c: number(1, 20), d, h: number(1, 3), w: number(1, 4) };
        Load::new(pair, map, [0; 3].map(|_| number(0, 1))).judge();
    }
}

#[test]
fn maps_that_do_not_fit_their_tile_are_refused() {
    let map = Map { n: 2, c: 12, d: 2, h: 3, w: 4 };
    for pair in PAIRS {
        let legal = Load::new(pair, Map { d: if pair.0 == "ncdhw" { 2 } else { 1 }, ..map }, [0; 3]);
        let check = |load: &Load, profile: Profile| pto::check(module(&load.text()), Some(profile)).is_ok();
        assert!(check(&legal, Profile::Cpu), "{pair:?}");
        for at in 0..5 {
            let mut changed = Load::new(pair, legal.map, [0; 3]);
            changed.view.0[at] += 16;
            assert!(!check(&changed, Profile::Cpu), "{pair:?} with another extent {at}");
        }
    }
    // Neither device loads this pair, and A2/A3 none of them.
    let loads = |profile: &str, from: &str, tile: &str, view: &str| {
        let text = format!(
            "!t = !pto.conv_tile<mat, {tile}>\n!v = !pto.tensor_view<{view}>\nfunc.func @f(%v: !v, %t: !t) {{\n\
             \x20 pto.tload ins(%v : !v) outs(%t : !t) {{layout = #pto.layout<{from}>}}\n  return\n}}\n"
        );
        let profile = if profile == "a5" { Profile::A5 } else { Profile::A2A3 };
        pto::check(module(&text), Some(profile)).is_ok()
    };
    assert!(loads("a5", "nchw", "NC1HWC0, 1x2x3x4x16xf16", "1x1x32x3x4xf16"));
    assert!(!loads("a2a3", "nchw", "NC1HWC0, 1x2x3x4x16xf16", "1x1x32x3x4xf16"));
    assert!(!loads("a5", "nhwc", "FRACTAL_Z, 24x1x16x16xf16", "1x1x3x4x32xf16"));
    assert!(!loads("a5", "nz", "NC1HWC0, 1x2x3x4x16xf16", "1x2x3x4x16xf16"));
    assert!(loads("a5", "nc1hwc0", "NC1HWC0, 1x2x3x4x16xf16", "1x2x3x4x16xf16"));
    // Formats of 8 bits are for A5.
    assert!(loads("a5", "nchw", "NC1HWC0, 1x1x3x4x32xf8E4M3FN", "1x1x32x3x4xf8E4M3FN"));
    assert!(!loads("a2a3", "nc1hwc0", "NC1HWC0, 1x1x3x4x32xf8E4M3FN", "1x1x3x4x32xf8E4M3FN"));
}
