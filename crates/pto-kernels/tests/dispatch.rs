use pto_kernels::dispatch::*;

#[test]
fn a_ceiling_holds_only_inside() {
    let before = level();
    assert_eq!(with_level(Level::Portable, level), Level::Portable);
    assert_eq!(level(), before);
}

#[test]
fn a_level_that_the_host_lacks_counts_as_one_below() {
    for ceiling in [Level::Portable, Level::Neon, Level::Avx2, Level::Avx512] {
        let within = with_level(ceiling, level);
        assert!(within <= ceiling && levels().any(|level| level == within), "{within:?} of {ceiling:?}");
        assert_eq!(within == ceiling, levels().any(|level| level == ceiling));
    }
}
