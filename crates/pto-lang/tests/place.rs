//! Addresses of small programs.

use pto_isa::diag::Diagnostic;
use pto_isa::{Buffer, Profile};
use pto_lang::passes::*;

fn plans(text: &str, profile: Profile) -> Result<(String, Vec<BufferPlan>), Vec<Diagnostic>> {
    let mut module = pto_lang::parse(text).unwrap_or_else(|findings| panic!("{findings:#?}")).module;
    let plans = place(&mut module, |_| profile)?;
    Ok((pto_lang::text::print(&module, &Default::default()), plans))
}

const CHAIN: &str = r"
!t = !pto.tile_buf<vec, 8x64xf32>
func.func @main(%s: f32) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %c = pto.alloc_tile : !t
  %d = pto.alloc_tile : !t
  pto.texpands ins(%s : f32) outs(%a : !t)
  pto.texp ins(%a : !t) outs(%b : !t)
  pto.texp ins(%b : !t) outs(%c : !t)
  pto.tadd ins(%c, %c : !t, !t) outs(%d : !t)
  return
}";

#[test]
fn tiles_share_no_bytes_where_memory_suffices() {
    let (text, plans) = plans(CHAIN, Profile::A2A3).expect("it fits");
    let [plan] = plans.as_slice() else { panic!("{plans:?}") };
    assert_eq!((plan.buffer, plan.peak, plan.bound), (Buffer::Ub, 8192, 4096));
    assert!(text.contains("pto.alloc_tile addr = %c2048_i64"), "{text}");
    let again = pto_lang::parse(&text).expect("well-formed text").module;
    let mut again = again;
    place(&mut again, |_| Profile::A2A3).expect("it fits");
    assert_eq!(pto_lang::text::print(&again, &Default::default()), text, "a second time changes nothing");
}

/// Three of the four tiles fit: the last one takes the bytes that were free longest.
#[test]
fn where_memory_does_not_suffice_the_bytes_that_were_free_longest_are_used_again() {
    let large = CHAIN.replace("8x64xf32", "224x64xf32");
    let (_, plans) = plans(&large, Profile::A2A3).expect("it fits");
    let addresses: Vec<u64> = plans[0].places.iter().map(|place| place.address).collect();
    assert_eq!(addresses[3], addresses[0]);
    assert_eq!(plans[0].peak, 3 * 224 * 256);
}

/// Two tiles do not fit: each result takes the bytes of its operand, as far as its page allows it.
#[test]
fn results_take_the_bytes_of_operands_that_end() {
    let large = CHAIN.replace("8x64xf32", "512x64xf32");
    let (_, placed) = plans(&large, Profile::A2A3).expect("it fits");
    assert!(placed[0].places.iter().all(|place| place.address == 0));
}

/// A program with two tiles of 128 KB: source and result of an instruction that forbids sharing their bytes.
fn full() -> String {
    let large = CHAIN.replace("8x64xf32", "512x64xi32").replace("f32", "i32");
    large.replace("pto.texp ins(%a : !t)", "pto.tands ins(%a, %s : !t, i32)")
}

#[test]
fn tiles_with_addresses_stay() {
    let fixed = CHAIN
        .replace("%b = pto.alloc_tile", "%z = arith.constant 2048 : i64\n  %b = pto.alloc_tile addr = %z");
    let (_, plans) = plans(&fixed, Profile::A5).expect("it fits");
    let places: Vec<(u64, bool)> =
        plans[0].places.iter().map(|place| (place.address, place.is_chosen)).collect();
    assert_eq!(places, [(0, true), (2048, false), (4096, true), (6144, true)]);
}

#[test]
fn a_full_buffer_names_what_is_alive() {
    let findings = plans(&full(), Profile::A2A3).expect_err("two tiles of 128 KB do not fit");
    assert_eq!(findings[0].rule, "place::capacity");
    let message = &findings[0].message;
    assert!(
        message.contains("262144 bytes of UB are alive") && message.contains("65536 are missing"),
        "{message}"
    );
}

/// `%a` is kept over the fullest point, where nothing uses it; with `%b` or `%c` in halves the rest fits too.
#[test]
fn a_full_buffer_says_what_would_help() {
    let text = r"
!t = !pto.tile_buf<vec, 288x64xf32>
func.func @main(%s: f32) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %c = pto.alloc_tile : !t
  pto.texpands ins(%s : f32) outs(%a : !t)
  pto.texp ins(%a : !t) outs(%b : !t)
  pto.texp ins(%b : !t) outs(%c : !t)
  pto.texp ins(%c : !t) outs(%b : !t)
  pto.tadd ins(%a, %b : !t, !t) outs(%b : !t)
  return
}";
    let findings = plans(text, Profile::A2A3).map(|_| ()).expect_err("three tiles of 72 KB do not fit");
    let [finding] = findings.as_slice() else { panic!("{findings:#?}") };
    assert!(
        finding.help.iter().any(|help| help.contains("if `%a` is loaded or computed again")),
        "{findings:#?}"
    );
    assert!(!finding.help.iter().any(|help| help.contains("no change of one tile")), "{findings:#?}");
    let next =
        finding.secondary.iter().find(|label| label.message.contains("not used again")).expect("a label");
    assert!(text[next.span.start as usize..].starts_with("pto.tadd"), "{findings:#?}");
    // The fix in the message works: computing `%a` again makes the tiles fit.
    let again = text.replace(
        "  pto.tadd ins(%a,",
        "  %d = pto.alloc_tile : !t\n  pto.texpands ins(%s : f32) outs(%d : !t)\n  pto.tadd ins(%d,",
    );
    plans(&again, Profile::A2A3).expect("it fits");
    // Neither of the two tiles that the fullest point does not need can be computed again.
    let both = text.replace("288x64", "512x64").replace("%a, %b", "%b, %b");
    let findings = plans(&both, Profile::A2A3).map(|_| ()).expect_err("two tiles of 128 KB do not fit");
    assert!(findings[0].help.iter().all(|help| !help.contains("again for its next")), "{findings:#?}");
}

#[test]
fn a_plan_shows_what_does_not_fit() {
    let module = pto_lang::parse(&full()).expect("well-formed text").module;
    let plans = plan(&module, |_| Profile::A2A3);
    let [plan] = plans.as_slice() else { panic!("{plans:?}") };
    assert_eq!((plan.peak, plan.places.len()), (262144, 4));
    assert!(plan.peak > plan.capacity);
}

#[test]
fn tiles_that_a_loop_exchanges_are_apart() {
    let text = r"
!t = !pto.tile_buf<vec, 8x64xf32>
func.func @main(%n: index, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  pto.texpands ins(%s : f32) outs(%a : !t)
  %x:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (!t, !t) {
    pto.texp ins(%p : !t) outs(%q : !t)
    scf.yield %q, %p : !t, !t
  }
  return
}";
    let (_, plans) = plans(text, Profile::A2A3).expect("it fits");
    assert_eq!(plans[0].peak, 4096);
}
