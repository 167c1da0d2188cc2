//! Steps of values other than tiles and scalars.

use super::super::{Core, Frame, Machine};
use super::{Stop, rule};
use crate::sim::value::ValueStep;
use pto_isa::exec::registers::control;
use pto_isa::pipe::EVENT_IDS;
use pto_isa::rules;

impl Machine<'_> {
    pub(super) fn value(&mut self, core: &mut Core, frame: Frame, step: &ValueStep) -> Result<(), Stop> {
        let scalar = |core: &Core, slot: u32| core.scalars[frame.scalars + slot as usize];
        let (to, bits) = match step {
            ValueStep::MultiGet { to, from, index, count, bytes } => {
                let index = scalar(core, *index);
                if index >= u64::from(*count) {
                    let message = format!("tile {} of a multi tile of {count}", index as i64);
                    return rule(&rules::values::MULTI_TILE_INDEX, message);
                }
                let mut live = core.tiles[frame.tiles + *from as usize];
                live.address += index as usize * bytes;
                core.tiles[frame.tiles + *to as usize] = live;
                return Ok(());
            }
            ValueStep::DeclareView { to, view } => {
                core.views[frame.views + *to as usize] = **view;
                return Ok(());
            }
            ValueStep::BindView { view, pointer } => {
                core.views[frame.views + *view as usize].address = scalar(core, *pointer);
                return Ok(());
            }
            ValueStep::Placed { flag, name } => {
                if scalar(core, *flag) == 0 {
                    let message =
                        format!("`%{name}` has no address yet: give it one with `pto.tassign` first");
                    return rule(&rules::values::DECLARED_ADDRESS, message);
                }
                return Ok(());
            }
            ValueStep::NewStruct { to, array, length } => {
                let place = frame.arrays + *array as usize;
                core.arrays[place].clear();
                core.arrays[place].resize(*length as usize, 0);
                (to, place as u64)
            }
            ValueStep::Field { to, of, field } => {
                let place = scalar(core, *of) as usize;
                let value = core.arrays.get(place).and_then(|fields| fields.get(*field as usize));
                (to, value.copied().unwrap_or(0))
            }
            ValueStep::SetField { of, field, value } => {
                let (place, value) = (scalar(core, *of) as usize, scalar(core, *value));
                let fields = core.arrays.get_mut(place);
                if let Some(at) = fields.and_then(|fields| fields.get_mut(*field as usize)) {
                    *at = value;
                }
                return Ok(());
            }
            ValueStep::PointerToInt { to, pointer } => {
                let address = scalar(core, *pointer);
                self.state.global.expose(address);
                (to, address)
            }
            ValueStep::IntToPointer { to, from } => {
                let address = scalar(core, *from);
                if !self.state.global.is_exposed(address) {
                    let message = format!(
                        "{address} is no address in an argument whose address `pto.ptrtoint` gave: start from such a one"
                    );
                    return rule(&rules::values::INT_TO_POINTER_ADDRESS, message);
                }
                (to, address)
            }
            ValueStep::TileExtent { to, tile, cols } => {
                let live = core.tiles[frame.tiles + *tile as usize];
                (to, u64::from(if *cols { live.cols } else { live.rows }))
            }
            ValueStep::ReadControl { to } => (to, core.registers.control),
            ValueStep::WriteControl { value } => {
                let value = scalar(core, *value);
                if let Err(message) = control::accepts(value) {
                    return rule(&rules::values::CONTROL_BIT, message);
                }
                core.registers.control = value;
                return Ok(());
            }
            ValueStep::EventId { id } => {
                let id = scalar(core, *id);
                if id >= u64::from(EVENT_IDS) {
                    let message = format!("event {}: there are 0 to {}", id as i64, EVENT_IDS - 1);
                    return rule(&rules::values::EVENT_ID, message);
                }
                return Ok(());
            }
        };
        core.scalars[frame.scalars + *to as usize] = bits;
        Ok(())
    }
}
