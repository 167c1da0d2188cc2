//! Profiles: what a target can do, as data.
//!
//! A profile narrows the virtual instruction set; it never redefines an instruction.

use super::memory::Buffer;
use super::tile::BLayout;

/// The target that a program is checked and run for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// Accepts what any profile or the public C++ simulator accepts.
    #[default]
    Cpu,
    /// Ascend 910B and 910C: A2 and A3.
    A2A3,
    /// Ascend 950: A5.
    A5,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 3] = [Profile::Cpu, Profile::A2A3, Profile::A5];

    /// The profile that a name from `--target` or `pto.target_arch` means.
    pub fn from_word(word: &str) -> Option<Profile> {
        Some(match word {
            "cpu" => Profile::Cpu,
            "a2a3" | "a2" | "a3" => Profile::A2A3,
            "a5" => Profile::A5,
            _ => return None,
        })
    }

    /// The profile of a device, as `pto.device-spec` names it: `Ascend910...` or `Ascend950...`.
    pub fn from_device(device: &str) -> Option<Profile> {
        if device.starts_with("Ascend910") {
            Some(Profile::A2A3)
        } else if device.starts_with("Ascend950") {
            Some(Profile::A5)
        } else {
            None
        }
    }

    /// The canonical name.
    pub fn word(self) -> &'static str {
        match self {
            Profile::Cpu => "cpu",
            Profile::A2A3 => "a2a3",
            Profile::A5 => "a5",
        }
    }

    /// Bytes of a buffer. `cpu` has the larger of the two targets, and the 512 KB of UB that the public
    /// C++ simulator gives its tiles.
    pub fn capacity(self, buffer: Buffer) -> u64 {
        const K: u64 = 1024;
        let (a2a3, a5) = match buffer {
            Buffer::Ub => (192 * K, 256 * K),
            Buffer::L1 => (512 * K, 512 * K),
            Buffer::L0a | Buffer::L0b => (64 * K, 64 * K),
            Buffer::L0c => (128 * K, 256 * K),
            Buffer::BiasTable => (K, 4 * K),
            Buffer::Fixpipe => (2 * K, 4 * K),
            Buffer::ScaleLeft | Buffer::ScaleRight => (0, 4 * K),
        };
        match self {
            Profile::A2A3 => a2a3,
            Profile::A5 => a5,
            Profile::Cpu if buffer == Buffer::Ub => 512 * K,
            Profile::Cpu => a5,
        }
    }

    /// Order of boxes of a left operand: Zz on A2/A3, Nz on A5.
    pub fn left_blayout(self) -> BLayout {
        match self {
            Profile::A2A3 => BLayout::RowMajor,
            Profile::Cpu | Profile::A5 => BLayout::ColMajor,
        }
    }

    /// Whether this profile is the device `profile`, or `cpu`, which accepts what any device accepts.
    pub fn includes(self, profile: Profile) -> bool {
        self == profile || self == Profile::Cpu
    }
}
