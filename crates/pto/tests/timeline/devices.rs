//! Devices and costs as data: absurd numbers are refused, and no instruction and no path is without a number.

use super::device;
use pto::isa::device::{Device, Endpoint, PathTime};
use pto::isa::op::cost::{Basis, Cost, Count};
use pto::isa::op::effect::Effect;
use pto::isa::profile::NPU;
use pto::isa::{Op, Profile};
use pto::timeline::{Detail, Recording, time};

#[test]
fn absurd_devices_are_refused() {
    for change in [
        (|device: &mut Device| device.clock.value = 0.0) as fn(&mut Device),
        |device| device.memory.value = f64::NAN,
        |device| device.cube_cores = 0,
        |device| device.vector_cores = u32::MAX,
        |device| device.l2_line.value = 0.0,
        |device| device.queue_depth.value = -1.0,
        |device| device.l2_bytes.value = f64::INFINITY,
    ] {
        let mut device = device();
        change(&mut device);
        assert!(device.validate().is_err(), "{device:?}");
        assert!(time(&Recording::default(), &device, Detail::Totals).is_err());
    }
    for name in Device::names() {
        let device = Device::named(name).expect("a known device");
        assert_eq!(device.name, name, "`device` of `known.rs` has no arm for it");
        assert!(device.validate().is_ok(), "{name}");
    }
    assert!(Device::named("Ascend910b2").is_some() && Device::named("911").is_none());
}

#[test]
fn every_instruction_of_a_pipe_has_a_cost_on_each_device() {
    let mut without = Vec::new();
    for instruction in Op::all().filter_map(Op::instruction) {
        let page = instruction.page();
        let writes = |effect: &Effect| effect.access.changes() && effect.role().is_some();
        let works = page.set.has_formulas() && page.own_effects().any(writes);
        let moves = matches!(page.cost, Cost::Transfer | Cost::Cycles(_));
        if works && !moves && !page.name.starts_with("comm.") && !SCALAR.contains(&page.name) {
            without.push(page.name);
        }
        if let Cost::Cycles(formulas) = page.cost {
            for profile in NPU {
                let own = formulas.iter().filter(|formula| formula.profiles.contains(profile));
                assert!(own.clone().any(|formula| formula.bits.is_empty()), "{} on {profile:?}", page.name);
                for constant in own.flat_map(|formula| formula.terms).map(|term| &term.cycles) {
                    assert!(constant.value > 0.0 && constant.source.len() > 10, "{}", page.name);
                }
            }
        }
    }
    assert_eq!(without, [""; 0]);
}

/// Instructions of the scalar unit that write bytes; TPRINT destroys a workspace and is for debugging.
const SCALAR: [&str; 5] = ["tprint", "tsetval", "store_scalar", "tget_async", "tput_async"];

#[test]
fn every_path_of_a_device_has_a_basis() {
    for device in Device::names().filter_map(Device::named) {
        assert!(device.path(Endpoint::Global, Endpoint::Chip(pto::isa::Buffer::Ub)).is_some());
        for path in &device.paths {
            if let PathTime::Rate { rate, .. } | PathTime::Drain { rate, .. } = path.time {
                assert!(rate.source.len() > 5 && rate.basis <= Basis::Assumed, "{path:?}");
            }
        }
        assert_ne!(device.profile, Profile::Cpu);
    }
    assert_eq!(Count::Once.word(), "");
}
