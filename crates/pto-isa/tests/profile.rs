//! Tests of `pto_isa::profile`.

use pto_isa::memory::Buffer;
use pto_isa::profile::*;

#[test]
fn capacities_are_in_the_order_of_buffers() {
    for profile in Profile::ALL {
        let buffers = profile.capacities.map(|(buffer, _)| buffer);
        assert_eq!(buffers, Buffer::ALL, "{}", profile.word());
    }
}

#[test]
fn names_are_names_of_one_profile() {
    let words = |profile: Profile| [profile.word].into_iter().chain(profile.aliases.iter().copied());
    for profile in Profile::ALL {
        assert!(words(profile).all(|word| Profile::from_word(word) == Some(profile)));
        assert!(profile.device_names.iter().all(|name| Profile::from_device(name) == Some(profile)));
    }
}
