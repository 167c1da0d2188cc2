fn main() {
    let mut files = vec![];
    let mut stack = vec![std::path::PathBuf::from(std::env::args().nth(1).unwrap())];
    while let Some(p) = stack.pop() {
        if p.is_dir() { for e in std::fs::read_dir(&p).unwrap() { stack.push(e.unwrap().path()); } }
        else if p.extension().is_some_and(|e| e == "pto") { files.push(p); }
    }
    files.sort();
    let texts: Vec<_> = files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    let t = std::time::Instant::now();
    let mut bad = 0;
    for (f, s) in files.iter().zip(&texts) {
        match pto::text::parse(s) {
            Ok(p) => {
                for form in [pto::text::Form::AsWritten, pto::text::Form::Ssa, pto::text::Form::Assembly] {
                for compact in [false, true] {
                let st = pto::text::Style { form, compact, source: Some(s) };
                let one = pto::text::print(&p.module, &st);
                match pto::text::parse(&one) {
                    Ok(q) => { let st = pto::text::Style { form: pto::text::Form::AsWritten, compact, source: Some(&one) };
                        let two = pto::text::print(&q.module, &st);
                        if one != two { bad += 1; println!("FIXPOINT {} {form:?} {compact}", f.display());
                            for (a, b) in one.lines().zip(two.lines()) { if a != b { println!("  - {a}\n  + {b}"); break; } } }
                    }
                    Err(d) => { bad += 1; println!("REPARSE {} {form:?} {}", f.display(), d[0].message);
                      if let Some(l) = &d[0].primary { println!("   {}", &one[l.span.start as usize..].chars().take(150).collect::<String>()); } }
                } } }
            }
            Err(d) => { bad += 1; for d in d.iter().take(3) {
                let at = d.primary.as_ref().map_or(0, |l| l.span.start as usize);
                let line = s[..at].matches('\n').count() + 1;
                println!("{}:{line}: {} | {}", f.display(), d.message, s[at..].chars().take(100).collect::<String>().replace('\n', " ")); } }
        }
    }
    println!("{} files, {bad} bad, {:?}", files.len(), t.elapsed());
    let t = std::time::Instant::now();
    for s in &texts { let _ = pto::text::parse(s); }
    println!("parse {:?}", t.elapsed());
}
