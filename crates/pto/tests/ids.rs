//! The list of all rules: ids are unique, and every rule is complete.

use pto::isa::{Profile, rules};
use std::collections::BTreeSet;

#[test]
fn every_id_is_registered_once_and_found_by_its_name() {
    let mut seen = BTreeSet::new();
    for id in rules::all() {
        let text = id.to_string();
        assert_eq!(rules::find(&text).map(|found| found.rule.statement), Some(id.rule.statement), "{text}");
        assert!(
            text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:.-".contains(c)),
            "{text}"
        );
        assert!(seen.insert(text.clone()), "{text} is registered twice");
    }
    assert!(rules::find("race").is_none() && rules::find("read-after-write").is_none());
}

#[test]
fn former_ids_name_present_rules_and_are_no_ids() {
    let known = |name: &str| rules::all().any(|id| id == name || id.owner == name);
    for (former, present) in rules::RENAMED {
        assert!(known(present) && !known(former), "{former} is now {present}");
        assert_eq!(rules::renamed(former), Some(present));
        assert_eq!(rules::find(former), rules::find(present));
    }
    assert_eq!(rules::renamed("race::read-after-write"), None);
}

#[test]
fn every_rule_has_all_parts() {
    for id in rules::all() {
        let rule = id.rule;
        assert!(!rule.source.is_empty(), "{id}");
        assert!(!rule.profiles.is_empty(), "{id}");
        for profile in Profile::ALL {
            let has_rule = rule.profiles.contains(&profile);
            assert_eq!(rule.severities(profile).count() > 0, has_rule, "{id} on {}", profile.word());
        }
        for part in [rule.statement, rule.reason, rule.remedy] {
            assert!(part.len() > 10 && part.ends_with('.') && !part.contains("  "), "{id}: {part:?}");
        }
    }
}
