//! Profiles: capabilities of targets, as data.
//!
//! A profile restricts the virtual instruction set; it never redefines an instruction. Facts that several parts of
//! the library use are fields of [`Capabilities`], one row per profile. Facts that only one page uses are a
//! [`PerProfile`] or a named list of profiles on that page. No other file compares names of profiles.

use super::meaning::Core;
use super::memory::{ADDRESS_ALIGNMENT, Buffer};
use super::pipe::{PIPES, Pipe};
use super::tile::BLayout;
use std::ops::Deref;

/// The target that a program is checked and run for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// Accepts every program that any profile or the public C++ simulator accepts.
    #[default]
    Cpu,
    /// Ascend 910B and 910C: A2 and A3.
    A2A3,
    /// Ascend 950: A5.
    A5,
}

/// The NPU profiles, which are devices.
pub const NPU: &[Profile] = &[Profile::A2A3, Profile::A5];
/// Only `a2a3`.
pub const A2A3_ONLY: &[Profile] = &[Profile::A2A3];
/// Only `a5`.
pub const A5_ONLY: &[Profile] = &[Profile::A5];
/// Only `cpu`.
pub const CPU_ONLY: &[Profile] = &[Profile::Cpu];
/// `cpu` and `a2a3`: all profiles except `a5`.
pub const CPU_AND_A2A3: &[Profile] = &[Profile::Cpu, Profile::A2A3];
/// `cpu` and `a5`: all profiles except `a2a3`.
pub const CPU_AND_A5: &[Profile] = &[Profile::Cpu, Profile::A5];

/// Facts about a profile that several parts of the library use. A profile dereferences to its row.
#[derive(Debug)]
pub struct Capabilities {
    /// Canonical name, in `--target`, `pto.target_arch` and messages.
    pub word: &'static str,
    /// Further names in `--target` and `pto.target_arch`.
    pub aliases: &'static [&'static str],
    /// The device for which programs are timed if none is named, one of [`Device::names`](super::device::Device::names).
    pub usual_device: &'static str,
    /// Prefixes of the device names in `pto.device-spec`.
    pub device_names: &'static [&'static str],
    /// Devices on which a program for this profile may run: a device itself, all devices for `cpu`.
    pub devices: &'static [Profile],
    /// Capacity of each buffer in bytes, in the order of [`Buffer::ALL`]; 0 if the device lacks it. `cpu` has the
    /// larger capacity of the devices, and the 512 KB of UB of the public C++ simulator.
    pub capacities: [(Buffer, u64); Buffer::ALL.len()],
    /// Bytes at the end of UB that compilers reserve; a tile there is a lint.
    pub compiler_ub: u64,
    /// Alignment of tile addresses in bytes: 32 on devices, whose pipes access buffers in blocks; the simulator has none.
    pub address_alignment: u64,
    /// Order of boxes of a left operand: Zz (`row_major`) on A2/A3, Nz (`col_major`) on A5.
    pub left_blayout: BLayout,
    /// Pipes of the cube core and of a vector core, `Pipe::All` left out. A2/A3 stores L1 to global memory by MTE3 of the cube
    /// core. Source: `include/pto/npu/a2a3/TStore.hpp`, `docs/isa/micro-isa/01-pipeline-sync.md` of the public assembler. On
    /// `cpu` both kinds run every instruction.
    pub pipes_of_cores: [&'static [Pipe]; 2],
    /// Pipes on which an instruction may begin before the previous one of that pipe has ended, so that only a
    /// barrier orders two conflicting accesses. Source: `include/pto/common/event.hpp`: an event between two
    /// instructions of one pipe is a barrier of that pipe on A2/A3, and on A5 for MTE2 and MTE3.
    pub overlapping_pipes: &'static [Pipe],
    /// Whether the second of two elementwise instructions reads each element after the first one has written it, although V
    /// is an overlapping pipe. The public assembler assumes so on A2/A3, where it inserts no barrier between them.
    pub chains_elements: bool,
    /// Whether some instructions use the window of UB at [`TMP_WINDOW`](super::memory::TMP_WINDOW) as workspace.
    /// Source: `include/pto/npu/a2a3/T*.hpp`.
    pub uses_ub_window: bool,
    /// Number of flags between the cores of a block. A vector core has 16; on A5 the flags of the second vector
    /// core are numbered from 16. Source: `docs/isa/scalar/ops/pipeline-sync/set-intra-block.md`, Constraints.
    pub flags_between_cores: u8,
    /// Whether `ffts_mode` selects the cores that receive a flag between the cores of a block. Otherwise a flag
    /// connects the cube core and one vector core, which its number selects. Source:
    /// `docs/isa/scalar/ops/pipeline-sync/set-cross-core.md` and `set-intra-block.md`.
    pub flags_have_modes: bool,
    /// Synchronization of queues between cores. Source: `include/pto/npu/a2a3/TPush.hpp`,
    /// `include/pto/npu/a5/TPush.hpp`.
    pub queues: QueueForm,
    /// Whether shifts of 64-bit elements use the amount modulo 64, as the pages of TSHL and TSHR state for A5.
    pub shifts_64_bits_modulo: bool,
    /// Whether remainders of 64-bit elements truncate, as device tests of TREM on A5 and
    /// `include/pto/npu/a5/Int64Div.hpp` have it.
    pub truncates_64_bit_remainders: bool,
    /// Whether 4-bit and 8-bit floats and matrix products with MX scales exist. Source: seed Layout And
    /// Rearrangement, Type Support by Target Profile.
    pub small_floats: bool,
}

/// Location and synchronization of the slots of queues between the cores of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueForm {
    /// No device: every operation waits on all pipes and signals after all of them.
    OfNoDevice,
    /// Slots are in global memory, and cores wait on the scalar unit.
    InMemory,
    /// Slots are in the consumer's buffer unless the program names a tensor for them, and the pipe that needs the
    /// slot waits.
    OnChip,
}

const K: u64 = 1024;

/// The capacities of Ascend 950.
const A5_CAPACITIES: [(Buffer, u64); Buffer::ALL.len()] = [
    (Buffer::Ub, 256 * K),
    (Buffer::L1, 512 * K),
    (Buffer::L0a, 64 * K),
    (Buffer::L0b, 64 * K),
    (Buffer::L0c, 256 * K),
    (Buffer::BiasTable, 4 * K),
    (Buffer::Fixpipe, 4 * K),
    (Buffer::ScaleLeft, 4 * K),
    (Buffer::ScaleRight, 4 * K),
];

/// Pipes of a vector core of both devices.
const VECTOR_PIPES: [Pipe; 4] = [Pipe::Scalar, Pipe::Vector, Pipe::Mte2, Pipe::Mte3];

const CPU: Capabilities = Capabilities {
    word: "cpu",
    aliases: &[],
    usual_device: "910B2",
    device_names: &[],
    devices: NPU,
    capacities: {
        let mut capacities = A5_CAPACITIES;
        capacities[Buffer::Ub as usize].1 = 512 * K;
        capacities
    },
    compiler_ub: 0,
    address_alignment: 1,
    left_blayout: BLayout::ColMajor,
    pipes_of_cores: [&PIPES, &PIPES],
    overlapping_pipes: &[Pipe::Mte2, Pipe::Mte3],
    chains_elements: false,
    uses_ub_window: false,
    flags_between_cores: 32,
    flags_have_modes: false,
    queues: QueueForm::OfNoDevice,
    shifts_64_bits_modulo: false,
    truncates_64_bit_remainders: false,
    small_floats: true,
};

const A2A3: Capabilities = Capabilities {
    word: "a2a3",
    aliases: &["a2", "a3"],
    usual_device: "910B2",
    device_names: &["Ascend910"],
    devices: A2A3_ONLY,
    capacities: [
        (Buffer::Ub, 192 * K),
        (Buffer::L1, 512 * K),
        (Buffer::L0a, 64 * K),
        (Buffer::L0b, 64 * K),
        (Buffer::L0c, 128 * K),
        (Buffer::BiasTable, K),
        (Buffer::Fixpipe, 2 * K),
        (Buffer::ScaleLeft, 0),
        (Buffer::ScaleRight, 0),
    ],
    compiler_ub: 0,
    address_alignment: ADDRESS_ALIGNMENT,
    left_blayout: BLayout::RowMajor,
    pipes_of_cores: [
        &[Pipe::Scalar, Pipe::Matrix, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fixpipe],
        &VECTOR_PIPES,
    ],
    overlapping_pipes: &[
        Pipe::Vector,
        Pipe::Mte1,
        Pipe::Mte2,
        Pipe::Mte3,
        Pipe::Matrix,
        Pipe::Fixpipe,
        Pipe::All,
    ],
    chains_elements: true,
    uses_ub_window: true,
    flags_between_cores: 16,
    flags_have_modes: true,
    queues: QueueForm::InMemory,
    shifts_64_bits_modulo: false,
    truncates_64_bit_remainders: false,
    small_floats: false,
};

const A5: Capabilities = Capabilities {
    word: "a5",
    aliases: &[],
    usual_device: "950",
    device_names: &["Ascend950", "Ascend910_95"],
    devices: A5_ONLY,
    capacities: A5_CAPACITIES,
    compiler_ub: 8 * K,
    address_alignment: ADDRESS_ALIGNMENT,
    left_blayout: BLayout::ColMajor,
    pipes_of_cores: [&[Pipe::Scalar, Pipe::Matrix, Pipe::Mte1, Pipe::Mte2, Pipe::Fixpipe], &VECTOR_PIPES],
    overlapping_pipes: &[Pipe::Mte2, Pipe::Mte3],
    chains_elements: false,
    uses_ub_window: false,
    flags_between_cores: 32,
    flags_have_modes: false,
    queues: QueueForm::OnChip,
    shifts_64_bits_modulo: true,
    truncates_64_bit_remainders: true,
    small_floats: true,
};

/// The rows of all profiles.
static CAPABILITIES: PerProfile<Capabilities> = PerProfile { cpu: CPU, a2a3: A2A3, a5: A5 };

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 3] = [Profile::Cpu, Profile::A2A3, Profile::A5];

    /// The facts about this profile: its row of the table.
    pub fn capabilities(self) -> &'static Capabilities {
        CAPABILITIES.get(self)
    }

    /// The profile with a name from `--target` or `pto.target_arch`.
    pub fn from_word(word: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.word == word || profile.aliases.contains(&word))
    }

    /// The profile of a device name in `pto.device-spec`, by its longest known prefix.
    pub fn from_device(device: &str) -> Option<Profile> {
        let prefix = |profile: Profile| {
            let names = profile.device_names.iter().filter(|name| device.starts_with(*name));
            names.map(|name| name.len()).max()
        };
        let known = Profile::ALL.into_iter().filter_map(|profile| Some((prefix(profile)?, profile)));
        Some(known.max_by_key(|(length, _)| *length)?.1)
    }

    /// The canonical name.
    pub fn word(self) -> &'static str {
        self.capabilities().word
    }

    /// Capacity of a buffer in bytes; 0 if the device lacks it.
    pub fn capacity(self, buffer: Buffer) -> u64 {
        self.capacities[buffer as usize].1
    }

    /// Order of boxes of a left operand.
    pub fn left_blayout(self) -> BLayout {
        self.capabilities().left_blayout
    }

    /// Whether this profile is a device, not `cpu`.
    pub fn is_device(self) -> bool {
        NPU.contains(&self)
    }

    /// Whether this profile is `profile`, or is `cpu`, which accepts the programs of every device.
    pub fn includes(self, profile: Profile) -> bool {
        self == profile || !self.is_device()
    }

    /// Whether a kind of core has a pipe; every core has `Pipe::All`.
    pub fn has_pipe(self, core: Core, pipe: Pipe) -> bool {
        pipe == Pipe::All || self.pipes_of_cores[core as usize].contains(&pipe)
    }

    /// The only kind of core that has a pipe; `None` if both have it.
    pub fn only_core(self, pipe: Pipe) -> Option<Core> {
        let mut cores = [Core::Cube, Core::Vector].into_iter().filter(|core| self.has_pipe(*core, pipe));
        cores.next().filter(|_| cores.next().is_none())
    }

    /// Whether an instruction of a pipe ends before the next one of that pipe begins.
    pub fn orders_itself(self, pipe: Pipe) -> bool {
        !self.overlapping_pipes.contains(&pipe)
    }
}

impl Deref for Profile {
    type Target = Capabilities;

    fn deref(&self) -> &Capabilities {
        self.capabilities()
    }
}

/// A fact that differs between profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerProfile<T> {
    /// On `cpu`.
    pub cpu: T,
    /// On A2/A3.
    pub a2a3: T,
    /// On A5.
    pub a5: T,
}

impl<T> PerProfile<T> {
    /// A fact for `cpu`, A2/A3 and A5.
    pub const fn new(cpu: T, a2a3: T, a5: T) -> PerProfile<T> {
        PerProfile { cpu, a2a3, a5 }
    }

    /// The fact for a profile.
    pub const fn get(&self, profile: Profile) -> &T {
        match profile {
            Profile::Cpu => &self.cpu,
            Profile::A2A3 => &self.a2a3,
            Profile::A5 => &self.a5,
        }
    }
}

impl<T: Copy> PerProfile<T> {
    /// A fact for A2/A3, and one for A5 and `cpu`.
    pub const fn a2a3_or(a2a3: T, other: T) -> PerProfile<T> {
        PerProfile { cpu: other, a2a3, a5: other }
    }

    /// The fact for a profile, as a copy.
    pub const fn of(&self, profile: Profile) -> T {
        *self.get(profile)
    }
}
