//! A site: one use of an instruction, with the facts that its rules need.

mod facts;

use super::Instruction;
use super::effect::{Access, Effect, Extent};
use super::sync::queue::QueueFact;
use super::{empty, labels, workspace};
use crate::attribute::NamedAttribute;
use crate::conv::ConvTileType;
use crate::diag::{Diagnostic, Severity, Span, suggest};
use crate::element::Element;
use crate::profile::Profile;
use crate::rule::Rule;
use crate::rules::values::EMPTY_REGION;
use crate::types::Scalar;

pub use super::view_layout::{GlobalLayout, ViewLayout};
pub use facts::{Fact, OperandFact, TileFact, ViewFact};

/// One use of an instruction.
#[derive(Clone)]
pub struct Site<'a> {
    /// The instruction.
    pub instruction: &'a dyn Instruction,
    /// Name of the instruction as written, such as `pto.tmov.m2l`.
    pub spelling: &'a str,
    /// The profile checked for.
    pub profile: Profile,
    /// Operands in the order of the form, then the results in the role `result`.
    pub operands: Vec<OperandFact<'a>>,
    /// Attributes of the use.
    pub attributes: &'a [NamedAttribute],
    /// The queue whose entry the instruction accesses, if it is known.
    pub queue: Option<QueueFact>,
    /// The source location of the mnemonic.
    pub span: Span,
}

impl Site<'_> {
    /// The source location of the operand in a role, or of the attribute of that name.
    fn span_of(&self, role: &str) -> Option<Span> {
        if let Some(operand) = self.operand(role) {
            return Some(operand.span);
        }
        let attribute = self.attributes.iter().find(|attribute| attribute.name == role)?;
        (attribute.span != Span::default()).then_some(attribute.span)
    }

    /// The operand in a role.
    pub fn operand(&self, role: &str) -> Option<&OperandFact<'_>> {
        self.operands.iter().find(|operand| operand.role == role)
    }

    /// The tile in a role.
    pub fn tile(&self, role: &str) -> Option<&TileFact> {
        match &self.operand(role)?.fact {
            Fact::Tile(tile) => Some(tile),
            _ => None,
        }
    }

    /// The convolution tile in a role.
    pub fn conv(&self, role: &str) -> Option<&ConvTileType> {
        match &self.operand(role)?.fact {
            Fact::ConvTile(tile) => Some(tile),
            _ => None,
        }
    }

    /// The view in a role.
    pub fn view(&self, role: &str) -> Option<&ViewFact> {
        match &self.operand(role)?.fact {
            Fact::View(view) => Some(view),
            _ => None,
        }
    }

    /// The type and value of the scalar in a role.
    pub fn scalar(&self, role: &str) -> Option<(Scalar, Option<i64>)> {
        match self.operand(role)?.fact {
            Fact::Scalar(ty, value) => Some((ty, value)),
            _ => None,
        }
    }

    /// The element format of the pointer in a role, and its address space as written.
    pub fn pointer(&self, role: &str) -> Option<(Element, Option<&str>)> {
        match &self.operand(role)?.fact {
            Fact::Pointer(element, space) => Some((element.element(), space.as_deref())),
            _ => None,
        }
    }

    /// The effects of a page that apply to this use: the effects of its profile on operands that it has.
    pub fn held(&self, effects: &[Effect]) -> Vec<Effect> {
        let has = |effect: &&Effect| {
            effect.profiles.contains(&self.profile)
                && (!effect.integers || self.tile("dst").is_some_and(|dst| dst.element().is_integer()))
                && effect.role().is_none_or(|role| self.operand(role).is_some())
        };
        effects.iter().filter(has).map(|effect| self.parameters_as_words(*effect)).collect()
    }

    /// Adapts an effect on quantization parameters: the fixpipe reads 64-bit words, which are not the elements of a
    /// tile of another type.
    fn parameters_as_words(&self, effect: Effect) -> Effect {
        let is_fp = effect.role() == Some("fp") && effect.access == Access::Read;
        if !is_fp || self.tile("fp").is_none_or(|fp| fp.element().bits() == 64) {
            return effect;
        }
        effect
            .of(Extent::Storage)
            .loosely("the tile has no 64-bit elements, so its columns do not count parameters")
    }
}

/// Collects the findings of an instruction's rules at one [`Site`].
pub struct Check<'a> {
    /// The use.
    pub site: &'a Site<'a>,
    findings: Vec<Diagnostic>,
    /// The highest severity so far, if only the severity is wanted.
    worst: Option<Option<Severity>>,
}

impl<'a> Check<'a> {
    /// Checks the rules of the site's instruction. Findings name the other profiles that accept the use.
    pub fn run(site: &'a Site<'a>) -> Vec<Diagnostic> {
        let Some(tile) = empty::idle_for(site) else { return Check::judge_all(site) };
        let mut findings = Check::judge_all(&empty::without_regions(site));
        if !empty::are_all_empty(site)
            && Check::weigh_all(site) == Some(Severity::Error)
            && !is_wrong(&findings)
        {
            let name = site.instruction.page().name;
            let message = format!(
                "`%{tile}` is empty: `{name}` does nothing, though other operands are not as they must be"
            );
            findings.push(Diagnostic::new(Severity::Lint, &EMPTY_REGION, message).at(site.span));
        }
        findings
    }

    /// All findings of the rules, from the known facts.
    fn judge_all(site: &Site<'_>) -> Vec<Diagnostic> {
        let mut check = Check { site, findings: Vec::new(), worst: None };
        site.instruction.check(&mut check);
        workspace::check(&mut check);
        let mut findings = check.findings;
        if !is_wrong(&findings) {
            findings.extend(workspace::overlap(site));
        }
        let mut errors = findings.iter_mut().filter(|finding| finding.severity == Severity::Error);
        if let Some(first) = errors.next() {
            let note = legal_elsewhere(site);
            errors.chain([first]).for_each(|finding| finding.notes.extend(note.clone()));
        }
        findings
    }

    /// The highest severity of the findings, if there is any; builds no messages.
    pub fn weigh(site: &Site<'_>) -> Option<Severity> {
        match empty::idle_for(site) {
            Some(_) => Check::weigh_all(&empty::without_regions(site)),
            None => Check::weigh_all(site),
        }
    }

    fn weigh_all(site: &Site<'_>) -> Option<Severity> {
        let mut check = Check { site, findings: Vec::new(), worst: Some(None) };
        site.instruction.check(&mut check);
        if check.worst != Some(Some(Severity::Error)) {
            workspace::check(&mut check);
        }
        check.worst.flatten()
    }

    /// The profile checked for.
    pub fn profile(&self) -> Profile {
        self.site.profile
    }

    /// The tile in a role that every form of the instruction has.
    ///
    /// # Panics
    /// If the form has no such tile: an error in the instruction's file, which its tests find.
    pub fn tile(&self, role: &str) -> &'a TileFact {
        self.site.tile(role).expect("the instruction's form has this tile")
    }

    /// The type of the convolution tile in a role that every form of the instruction has.
    ///
    /// # Panics
    /// If the form has no such convolution tile: an error in the instruction's file, which its tests find.
    pub fn conv(&self, role: &str) -> ConvTileType {
        *self.site.conv(role).expect("the instruction's form has this convolution tile")
    }

    /// `%name` of the operand in a role.
    pub fn name(&self, role: &str) -> String {
        self.site.operand(role).map_or(format!("`{role}`"), |operand| format!("`%{}`", operand.name))
    }

    /// Reports an error of `rule` on the operand or attribute `role` if `holds` is false and the profile has the
    /// rule. Returns false in that case, so that the caller can skip dependent rules.
    pub fn require(
        &mut self,
        rule: &'static Rule,
        role: &str,
        holds: bool,
        message: impl FnOnce(&Self) -> String,
    ) -> bool {
        self.judge(Severity::Error, rule, role, holds, message)
    }

    /// Reports a finding of `severity` if `holds` is false and the profile has the rule. Returns false only for
    /// errors.
    pub fn judge(
        &mut self,
        severity: Severity,
        rule: &'static Rule,
        role: &str,
        holds: bool,
        message: impl FnOnce(&Self) -> String,
    ) -> bool {
        if holds || !rule.profiles.contains(&self.site.profile) {
            return true;
        }
        debug_assert!(
            rule.severities(self.site.profile).any(|one| one == severity),
            "`{}` names no severity {severity:?}",
            rule.name
        );
        match &mut self.worst {
            Some(worst) => *worst = Some(worst.map_or(severity, |worst| worst.min(severity))),
            None => self.add(severity, rule, role, message(self)),
        }
        severity != Severity::Error
    }

    /// Adds help to the last finding, instead of the remedy of its rule.
    pub fn help(&mut self, help: impl FnOnce(&Self) -> String) {
        let Some(mut finding) = self.findings.pop() else { return };
        finding.help.push(help(self));
        self.findings.push(finding);
    }

    /// Adds to the last finding, on a word in an attribute, the known words that may be meant.
    pub fn suggest<'w>(&mut self, word: &str, known: impl Iterator<Item = &'w str>) {
        let Some(finding) = self.findings.pop() else { return };
        let (span, length) = (finding.primary.as_ref().map(|label| label.span), word.len() as u32);
        // The word may be between angle brackets.
        let inner = span.and_then(|Span { start, end }| match (end - start).checked_sub(length)? {
            0 => Some(Span::new(start, end)),
            2 => Some(Span::new(start + 1, end - 1)),
            _ => None,
        });
        self.findings.push(suggest(finding, inner, word, known));
    }

    /// Adds a finding with its message. Separate from [`judge`](Check::judge), which is monomorphized for every
    /// message closure.
    fn add(&mut self, severity: Severity, rule: &'static Rule, role: &str, message: String) {
        let id = rule.owned_by(self.site.instruction.page().name);
        let span = self.site.span_of(role).unwrap_or(self.site.span);
        let mut diagnostic = Diagnostic::new(severity, id, message).at(span);
        if self.site.span != span {
            diagnostic = diagnostic.with_label(self.site.span, "");
        }
        diagnostic = labels::definitions(&self.site.operands, diagnostic);
        self.findings.push(diagnostic.with_note(rule.note()));
    }
}

fn is_wrong(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The other profiles that accept the use unchanged, as text.
fn legal_elsewhere(site: &Site<'_>) -> Option<String> {
    let weight = |profile: Profile| Check::weigh(&Site { profile, ..site.clone() });
    let others = Profile::ALL.into_iter().filter(|profile| *profile != site.profile);
    let legal = others.filter_map(|profile| match weight(profile) {
        Some(Severity::Error) => None,
        Some(Severity::Extension) => Some(format!("{} (as an extension)", profile.word())),
        _ => Some(profile.word().to_owned()),
    });
    let legal: Vec<_> = legal.collect();
    (!legal.is_empty()).then(|| format!("legal on {}", legal.join(", ")))
}
