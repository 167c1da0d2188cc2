//! The tests of the C++ headers.
use pto_isa::op::form::Syntax;
use pto_isa::registry::Op;
#[test]
#[allow(clippy::print_stdout)]
fn dump() {
    for op in Op::all() {
        let page = op.page();
        println!("{} [{:?}] -- {}", op.name(), page.set, page.summary);
        if let Syntax::Destination(forms) = page.syntax {
            for f in forms { println!("   {} name={:?} asks={:?}", f.describe(), f.name, f.asks); }
        } else if let Syntax::Own(p, _) | Syntax::Code(p, _) = page.syntax { println!("   own {p:?}"); }
        for a in page.attributes { println!("   @{}: {:?} default {:?}", a.name, a.kind, a.default); }
    }
}
