//! The known devices.

use super::{Device, Endpoint, Path, PathTime};
use crate::memory::Buffer;
use crate::op::cost::Constant;
use crate::profile::Profile;

/// Names of the known devices.
pub(super) const NAMES: [&str; 6] = ["910B1", "910B2", "910B3", "910B4", "A3", "950"];

const FLAT: &str = "pto-isa include/pto/costmodel/arch_config.hpp, GiB/s at 1.85 GHz";
const SWEEP: &str = "pypto include/pypto/backend/common/backend_handler.h, sweeps on A2/A3 devices";
const SWEEP_A5: &str = "pypto 950/backend_950_handler.h, fits to a simulator of A5";
const INI: &str = "platform file of an Ascend 910B1 (ddr_rate 32, l2_read_rate 110, l2_write_rate 86, ub_to_l2 64 bytes a cycle and core)";
const TLOAD: &str =
    "figures that the vendor holds its model against: four cases of TLOAD are 265 + bytes / 128 cycles";
const TILING: &str =
    "fall-back values of the vendor's operator tiling for A5 (clock 1650 MHz, L2 100 bytes a cycle and core)";
const MANUAL: &str = "pto-isa docs/isa/tile/elementwise-tile-tile.md: 128 bytes a cycle within UB";
const UNKNOWN: &str = "no figure is published; as the load of the same core";
const CORES: &str = "pto-isa kernels/manual/common/flash_atten/scripts/fa_cost_model.py, table of devices";

/// A device by its name in [`NAMES`]; the last of them for any other name.
pub(super) fn device(name: &str) -> Device {
    let a2 = |cube_cores: u32, clock: f64| Device {
        name: name.to_owned(),
        cube_cores,
        vector_cores: 2 * cube_cores,
        clock: Constant::published(clock, CORES),
        ..a2a3()
    };
    match name {
        "910B1" => a2(24, 1.85),
        "910B2" => a2(24, 1.8),
        "910B3" => a2(20, 1.8),
        "910B4" => Device {
            memory: Constant::published(
                710.0,
                "half the memory of a 910B1, as the vendor's table of devices has it",
            ),
            ..a2(20, 1.5)
        },
        "A3" => {
            Device { clock: Constant::published(1.85, "simpler src/a2a3/docs/hardware.md"), ..a2(24, 1.85) }
        }
        _ => a5(),
    }
}

const fn zero(reason: &'static str) -> Constant {
    Constant::assumed(0.0, reason)
}

/// A path with a rate, without a start of its own.
const fn rate(from: Endpoint, to: Endpoint, start: Constant, rate: Constant) -> Path {
    const EACH: Constant =
        Constant::assumed(16.0, "setting up a transfer; the next one is set up while it runs");
    const RUN: Constant = Constant::assumed(1.0, "a run of contiguous bytes is a request of its own");
    Path { from, to, time: PathTime::Rate { start, each: EACH, run: RUN, rate } }
}

const GM: Endpoint = Endpoint::Global;
const UB: Endpoint = Endpoint::Chip(Buffer::Ub);
const L1: Endpoint = Endpoint::Chip(Buffer::L1);
const L0A: Endpoint = Endpoint::Chip(Buffer::L0a);
const L0B: Endpoint = Endpoint::Chip(Buffer::L0b);
const L0C: Endpoint = Endpoint::Chip(Buffer::L0c);
const BIAS: Endpoint = Endpoint::Chip(Buffer::BiasTable);
const FIXPIPE: Endpoint = Endpoint::Chip(Buffer::Fixpipe);
const SCALE_LEFT: Endpoint = Endpoint::Chip(Buffer::ScaleLeft);
const SCALE_RIGHT: Endpoint = Endpoint::Chip(Buffer::ScaleRight);

const NO_START: Constant = zero("transfers on chip begin at once beside those to global memory");

fn a2a3() -> Device {
    let start = Constant::published(265.0, TLOAD);
    let store = Constant::assumed(265.0, UNKNOWN);
    let drain = PathTime::Drain {
        each: Constant::measured(164.0, SWEEP),
        least: Constant::measured(4.45, SWEEP),
        rate: Constant::measured(118.0, SWEEP),
        odd: Constant::measured(2.6, SWEEP),
    };
    let small = Constant::published(18.6, FLAT);
    Device {
        name: String::new(),
        profile: Profile::A2A3,
        cube_cores: 24,
        vector_cores: 48,
        clock: Constant::published(1.85, CORES),
        memory: Constant::published(1420.0, INI),
        l2_read: Constant::published(110.0, INI),
        l2_write: Constant::published(86.0, INI),
        l2_bytes: Constant::published(201_326_592.0, INI),
        l2_line: Constant::published(
            512.0,
            "pypto backend_910b_handler.h: granularity of global memory 512 bytes",
        ),
        issue: Constant::assumed(12.0, "a tile instruction sets a dozen registers and addresses"),
        issue_order: Constant::published(1.0, "pto-isa a2a3/cce_costmodel/cce_costmodel_sync.hpp"),
        flag: Constant::assumed(10.0, "a flag passes from pipe to pipe within a core"),
        signal: Constant::assumed(300.0, "a signal passes through the memory system, as a load does"),
        block_start: Constant::measured(
            800.0,
            "simpler docs/dfx/sched-overhead-model.md: pick-up of a task by a core",
        ),
        queue_depth: Constant::assumed(32.0, "the scalar unit runs ahead by some instructions of each pipe"),
        paths: vec![
            rate(GM, UB, start, Constant::published(128.0, TLOAD)),
            rate(GM, L1, start, Constant::published(110.0, INI)),
            rate(UB, GM, store, Constant::published(64.0, INI)),
            rate(L1, GM, store, Constant::published(18.6, FLAT)),
            Path { from: L0C, to: GM, time: drain },
            Path { from: L0C, to: L1, time: drain },
            Path { from: L0C, to: UB, time: drain },
            rate(L1, L0A, NO_START, Constant::measured(129.7, SWEEP)),
            rate(L1, L0B, NO_START, Constant::measured(85.4, SWEEP)),
            rate(L1, BIAS, NO_START, small),
            rate(L1, FIXPIPE, NO_START, small),
            rate(UB, UB, NO_START, Constant::published(128.0, MANUAL)),
            rate(UB, L1, NO_START, Constant::published(64.0, INI)),
            rate(L1, UB, NO_START, Constant::published(64.0, INI)),
            rate(L1, L1, NO_START, Constant::published(32.0, MANUAL)),
        ],
    }
}

fn a5() -> Device {
    let start = Constant::assumed(265.0, "as measured on A2/A3");
    let load = Constant::published(100.0, TILING);
    let drain = PathTime::Drain {
        each: Constant::published(343.4, SWEEP_A5),
        least: Constant::published(4.59, SWEEP_A5),
        rate: Constant::assumed(
            118.0,
            "as measured on A2/A3; the authors of the fit to the simulator, 30, call it four times too slow",
        ),
        odd: Constant::published(0.26, SWEEP_A5),
    };
    let small = Constant::assumed(18.6, "as on A2/A3");
    let factors = Constant::published(206.3, SWEEP_A5);
    Device {
        name: "950".to_owned(),
        profile: Profile::A5,
        cube_cores: 32,
        vector_cores: 64,
        clock: Constant::published(1.65, TILING),
        memory: Constant::published(1600.0, "announcement of the vendor for the 950PR, 2025"),
        l2_read: load,
        l2_write: Constant::assumed(86.0, "as on A2/A3"),
        l2_bytes: Constant::assumed(201_326_592.0, "as on A2/A3"),
        l2_line: Constant::assumed(512.0, "as on A2/A3"),
        issue: Constant::assumed(12.0, "as on A2/A3"),
        issue_order: Constant::assumed(1.0, "as on A2/A3"),
        flag: Constant::assumed(10.0, "as on A2/A3"),
        signal: Constant::assumed(300.0, "as on A2/A3"),
        block_start: Constant::assumed(800.0, "as on A2/A3"),
        queue_depth: Constant::assumed(32.0, "as on A2/A3"),
        paths: vec![
            rate(GM, UB, start, load),
            rate(GM, L1, start, load),
            rate(UB, GM, start, Constant::assumed(64.0, "as on A2/A3")),
            rate(L1, GM, start, small),
            Path { from: L0C, to: GM, time: drain },
            Path { from: L0C, to: L1, time: drain },
            Path { from: L0C, to: UB, time: drain },
            rate(L1, L0A, NO_START, factors),
            rate(L1, L0B, NO_START, Constant::published(223.8, SWEEP_A5)),
            rate(L1, SCALE_LEFT, NO_START, factors),
            rate(L1, SCALE_RIGHT, NO_START, factors),
            rate(L1, BIAS, NO_START, small),
            rate(L1, FIXPIPE, NO_START, small),
            rate(UB, UB, NO_START, Constant::assumed(128.0, "as on A2/A3")),
            rate(UB, L1, NO_START, Constant::assumed(64.0, "as on A2/A3")),
            rate(L1, UB, NO_START, Constant::assumed(64.0, "as on A2/A3")),
            rate(L1, L1, NO_START, Constant::assumed(32.0, "as on A2/A3")),
        ],
    }
}
