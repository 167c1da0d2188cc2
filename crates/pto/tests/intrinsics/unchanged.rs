//! A failed call leaves its kernel unchanged, both its text and the effect of later calls.

use super::*;

/// A call that fails, with the name of its method.
type Refused = (&'static str, fn(&mut Kernel<A5>, &Values) -> Result<(), Error>);

/// Operands of the failing calls: values of the kernel, and of another one.
struct Values {
    x: Tensor<f32>,
    a: Ff<16, 16>,
    b: Ff<8, 16>,
    narrow: Ff<16, 8>,
    open: Tile<loc::Vec, f32, 16, 16, layout::Nd, Dynamic>,
    foreign: Ff<16, 16>,
    foreign_index: Index,
    foreign_scalar: Scalar<f32>,
}

fn values(k: &mut Kernel<A5>) -> Result<Values, Error> {
    let mut other = Kernel::<A5>::new("other");
    Ok(Values {
        x: k.tensor::<f32>("x", &[16.into(), 16.into()])?,
        a: k.tile("a")?,
        b: k.tile("b")?,
        narrow: k.tile("narrow")?,
        open: k.tile("open")?,
        foreign: other.tile("foreign")?,
        foreign_index: other.index("n"),
        foreign_scalar: other.scalar("s"),
    })
}

/// Drops the result of a call.
fn drop_result<T>(result: Result<T, Error>) -> Result<(), Error> {
    result.map(|_| ())
}

const REFUSED: &[Refused] = &[
    ("make", |k, v| drop_result(k.make::<Ff<16, 16>>("c7", Make::default().valid(3, v.foreign_index)))),
    ("make at an address", |k, _| drop_result(k.make::<Ff<16, 16>>("far", Make::default().assign(1 << 30)))),
    ("assign", |k, v| k.assign(v.a, 1 << 30)),
    ("tensor", |k, v| drop_result(k.tensor::<f32>("late", &[77.into(), v.foreign_index]))),
    ("window", |k, v| drop_result(k.window(&v.x, &[55.into(), v.foreign_index], &[1.into(), 1.into()]))),
    ("add", |k, v| drop_result(k.add(91, v.foreign_index))),
    ("mul", |k, v| drop_result(k.mul(91, v.foreign_index))),
    ("set_validshape", |k, v| k.set_validshape(v.open, 17, 3)),
    ("get_validshape", |k, v| drop_result(k.get_validshape(v.foreign))),
    ("tgetval", |k, v| drop_result(k.tgetval(v.foreign, 4321))),
    ("tsetval", |k, v| drop_result(k.tsetval(v.foreign, 4321, 7.5))),
    ("subview", |k, v| drop_result(k.subview::<Ff<8, 8>, _>("cut", v.a, 12, 12))),
    ("tload", |k, v| drop_result(k.tload(v.foreign, &v.x))),
    ("tstore", |k, v| drop_result(k.tstore(&v.x, v.foreign))),
    ("tadd", |k, v| drop_result(k.tadd(v.a, v.a, v.b))),
    ("tadds", |k, v| drop_result(k.tadds(v.a, v.foreign, 1234.5))),
    ("tmuls with an argument", |k, v| drop_result(k.tmuls(v.a, v.a, v.foreign_scalar))),
    ("texpands", |k, v| drop_result(k.texpands(v.foreign, 1234.5))),
    ("trowexpandadd", |k, v| drop_result(k.trowexpandadd(v.a, v.b, v.b))),
    ("trowsum", |k, v| drop_result(k.trowsum(v.foreign, v.a, v.a))),
    ("tconcat", |k, v| drop_result(k.tconcat(v.a, v.a, v.b))),
    ("tmov", |k, v| drop_result(k.tmov(v.foreign, v.a))),
    ("tmov_fill", |k, v| drop_result(k.tmov_fill(v.foreign, v.a, 1234.5))),
    ("tinsert", |k, v| drop_result(k.tinsert(v.b, v.a, 5, 6))),
    ("tinsert_fill", |k, v| drop_result(k.tinsert_fill(v.b, v.a, (5, 6), 1234.5))),
    ("textract", |k, v| drop_result(k.textract(v.a, v.b, 5, 6))),
    ("textract_fill", |k, v| drop_result(k.textract_fill(v.a, v.b, (5, 6), 1234.5))),
    ("treshape", |k, v| drop_result(k.treshape::<Ff<4, 8>, _>("other", v.a))),
    ("treshape_into", |k, v| k.treshape_into(v.b, v.a)),
    ("tfillpad_with", |k, v| drop_result(k.tfillpad_with(v.narrow, v.a, 1234.5))),
    ("tfillpad_inplace_with", |k, v| drop_result(k.tfillpad_inplace_with(v.narrow, v.a, 1234.5))),
    ("tfillpad_expand_with", |k, v| drop_result(k.tfillpad_expand_with(v.narrow, v.a, 1234.5))),
    ("ttrans", |k, v| drop_result(k.ttrans(v.foreign, v.a))),
    ("tmrgsort_lists", |k, v| drop_result(k.tmrgsort_lists(v.a, &[v.foreign.id()], v.a, true))),
    ("repeat", |k, v| {
        k.repeat([11.into(), 12.into(), 13.into()], |k, i| {
            k.set_validshape(v.open, i, 2)?;
            drop_result(k.tadd(v.a, v.a, v.a))?;
            drop_result(k.tadd(v.a, v.a, v.b))
        })
    }),
    ("section", |k, v| {
        k.section(Section::Vector, |k| {
            let own: Ff<16, 16> = k.tile("own")?;
            drop_result(k.tadd(own, v.a, v.a))?;
            drop_result(k.tadd(v.a, v.a, v.b))
        })
    }),
];

/// A legal kernel whose calls use the constants and names that the failed calls requested.
fn legal(k: &mut Kernel<A5>, v: &Values) -> Result<(), Error> {
    let loaded = k.tload(v.a, &v.x)?;
    let added = k.after([loaded])?.tadds(v.a, v.a, 1234.5)?;
    let _: Ff<16, 16> = k.tile("c7")?;
    let _: Ff<16, 16> = k.tile("late")?;
    let _: Ff<16, 16> = k.tile("own")?;
    k.set_validshape(v.open, 11, 12)?;
    let cut: Ff<8, 8> = k.subview("cut", v.a, 5, 6)?;
    k.after([added])?.tadds(cut, cut, 7.5)?;
    Ok(())
}

#[test]
fn a_call_that_fails_leaves_the_kernel_as_it_was() -> Result<(), Error> {
    let mut untouched = Kernel::<A5>::new("k");
    let own = values(&mut untouched)?;
    legal(&mut untouched, &own)?;
    let wanted = untouched.to_text()?;
    for (name, refused) in REFUSED {
        let mut k = Kernel::<A5>::new("k");
        let v = values(&mut k)?;
        let (before, warnings) = (k.to_text()?, k.warnings().len());
        assert!(refused(&mut k, &v).is_err(), "{name} is refused");
        assert_eq!(k.to_text()?, before, "{name}");
        assert_eq!(k.warnings().len(), warnings, "{name}");
        legal(&mut k, &v)?;
        assert_eq!(k.to_text()?, wanted, "{name}, and what comes after it");
    }
    Ok(())
}

/// All failing calls together; a pending event stays pending.
#[test]
fn an_event_is_waited_for_by_the_first_call_that_succeeds() -> Result<(), Error> {
    let mut k = Kernel::<A5>::new("k");
    let v = values(&mut k)?;
    let loaded = k.tload(v.a, &v.x)?;
    k.after([loaded])?;
    for (name, refused) in REFUSED {
        assert!(refused(&mut k, &v).is_err(), "{name} is refused");
    }
    k.tadds(v.a, v.a, 2.0)?;
    assert!(k.to_text()?.contains("pto.wait_flag[<PIPE_MTE2>, <PIPE_V>"));
    Ok(())
}
