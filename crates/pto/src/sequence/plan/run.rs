//! Runs a sequence: repetitions, groups and launches in order.

use super::{Group, Node, Plan, Planned, Scope, Source, Stopped, within};
use crate::data::{Array, DataError, Failure, dtype, parse_scalar, shape_text};
use crate::sequence::describe::{PartText, Range};
use crate::sequence::expression::Expression;
use crate::sequence::follow::{Follow, Launched};
use crate::sequence::session::{BufferId, Given, Launch, Part, Session};
use pto_isa::Element;
use std::collections::BTreeMap;

/// Most repetitions and launches of a run.
const MOST_STEPS: u64 = 1_000_000;

impl Plan {
    /// Runs the sequence: makes its buffers, of which `given` have contents, and launches in order. `each` follows the launches:
    /// a function that is called after each of them is enough. An error from it stops the run.
    ///
    /// # Errors
    /// Error that stopped a launch, or of an expression without a value.
    pub fn run(
        &self,
        session: &mut Session,
        mut given: BTreeMap<String, Array>,
        each: &mut dyn Follow,
    ) -> Result<BTreeMap<String, BufferId>, Stopped> {
        let mut buffers = Vec::new();
        for (name, element, shape) in &self.buffers {
            let id = match given.remove(name) {
                Some(array) => session.give(name, fitted(name, array, *element, shape)?),
                None => session.make(name, *element, shape.clone())?,
            };
            buffers.push((name.clone(), id));
        }
        if let Some(name) = given.keys().next() {
            return Err(DataError::new(format!("the sequence has no buffer `{name}`")).into());
        }
        let all = buffers.iter().cloned().collect();
        let mut run = Run { plan: self, session, buffers, indices: Vec::new(), steps: 0, each };
        run.nodes(&self.nodes)?;
        Ok(all)
    }
}

/// A run in progress.
struct Run<'a> {
    plan: &'a Plan,
    session: &'a mut Session,
    /// Buffers by name, those of inner groups last.
    buffers: Vec<(String, BufferId)>,
    /// Indices of the repetitions around the current step.
    indices: Vec<(String, i64)>,
    steps: u64,
    each: &'a mut dyn Follow,
}

impl Run<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), Stopped> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<(), Stopped> {
        match node {
            Node::Launch(planned) => self.launch(planned),
            Node::Group(group) => self.group(group),
        }
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            scalars: &self.plan.scalars,
            indices: &self.indices,
            buffers: &self.buffers,
            session: Some(self.session),
        }
    }

    fn count(&mut self, at: &str) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            let message = format!("{at}: the sequence has more than {MOST_STEPS} launches and repetitions");
            return Err(DataError::new(message).into());
        }
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<(), Stopped> {
        if group.parallel {
            self.session.begin_group();
            self.each.begin_group();
        }
        let result = match &group.repeat {
            None => self.once(group),
            Some(range) => self.repeat(group, range),
        };
        if group.parallel {
            self.session.end_group();
            self.each.end_group();
        }
        result
    }

    fn repeat(&mut self, group: &Group, range: &Range) -> Result<(), Stopped> {
        let value = |expression: &Expression| {
            expression.evaluate(&self.scope()).map_err(|error| within(&group.at, error))
        };
        let (mut index, end, step) = (value(&range.first)?, value(&range.end)?, value(&range.step)?);
        if step <= 0 {
            return Err(DataError::new(format!("{}: a step of {step} never ends", group.at)).into());
        }
        while index < end {
            self.indices.push((range.index.clone(), index));
            let result = self.once(group);
            self.indices.pop();
            result?;
            if group.parallel {
                self.session.next_branch();
                self.each.next_branch();
            }
            let Some(next) = index.checked_add(step) else { break };
            index = next;
        }
        Ok(())
    }

    /// One repetition of a group.
    fn once(&mut self, group: &Group) -> Result<(), Stopped> {
        self.count(&group.at)?;
        let outer = self.buffers.len();
        for (name, ty) in &group.buffers {
            let shape = ty.extents(&self.scope());
            let shape = shape.map_err(|error| within(&format!("{}: buffer `{name}`", group.at), error))?;
            let buffer = self.session.make(name, ty.element, shape)?;
            self.buffers.push((name.clone(), buffer));
        }
        for node in &group.nodes {
            self.node(node)?;
            if group.parallel && group.repeat.is_none() {
                self.session.next_branch();
                self.each.next_branch();
            }
        }
        for (_, buffer) in self.buffers.drain(outer..) {
            self.session.free(buffer);
        }
        Ok(())
    }

    fn launch(&mut self, planned: &Planned) -> Result<(), Stopped> {
        self.count(&planned.at)?;
        let kernel = &self.plan.kernels[planned.kernel];
        let prepared = self.prepare(planned).map_err(|error| within(&planned.at, error))?;
        let (blocks, given) = prepared;
        let mut name = planned.name.clone();
        if !self.indices.is_empty() {
            let indices: Vec<String> =
                self.indices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            name = format!("{name} ({})", indices.join(", "));
        }
        let launch = Launch { name, program: &kernel.program, kernel: planned.kernel, blocks, given };
        let ready = self.each.before(&launch, self.session);
        let launched = ready.and_then(|()| self.session.launch_observed(&launch, self.each.observer()));
        let launched = launched.and_then(|(outcome, watched)| {
            let launched = Launched { name: &launch.name, kernel: planned.kernel, outcome, watched };
            self.each.after(&launch, self.session, launched)
        });
        launched.map_err(|failure| Stopped {
            launch: Some((launch.name.clone(), planned.kernel)),
            failure: match failure {
                Failure::Data(error) => within(&planned.at, error).into(),
                findings => findings,
            },
        })
    }

    /// Number of blocks and arguments of a launch.
    fn prepare(&self, planned: &Planned) -> Result<(u32, Vec<Given>), DataError> {
        let scope = self.scope();
        let blocks = planned.blocks.evaluate(&scope)?;
        let count = u32::try_from(blocks).ok().filter(|count| *count > 0);
        let count = count.ok_or_else(|| DataError::new(format!("{blocks} is no number of blocks")))?;
        let given = planned.arguments.iter().map(|source| self.given(source, &scope));
        Ok((count, given.collect::<Result<_, _>>()?))
    }

    fn given(&self, source: &Source, scope: &Scope<'_>) -> Result<Given, DataError> {
        match source {
            Source::Fact => Ok(Given::Fact),
            Source::Bits(bits) => Ok(Given::Scalar(*bits)),
            Source::Value(expression, ty) => {
                let value = expression.evaluate(scope)?;
                parse_scalar(&value.to_string(), *ty).map(Given::Scalar)
            }
            Source::Part(PartText { buffer: name, first, end }) => {
                let buffer =
                    scope.buffer(name).ok_or_else(|| DataError::new(format!("no buffer `{name}`")))?;
                let items: usize = self.session.shape(buffer).iter().product();
                let position = |text: &Option<Expression>, default: usize| {
                    let Some(text) = text else { return Ok(default) };
                    let value = text.evaluate(scope)?;
                    usize::try_from(value).map_err(|_| {
                        DataError::new(format!("`{name}` has no element {value}, which `{text}` gives"))
                    })
                };
                Ok(Given::Part(Part { buffer, first: position(first, 0)?, end: position(end, items)? }))
            }
        }
    }
}

/// An array as the contents of a buffer: of its element type, with as many items.
fn fitted(name: &str, array: Array, element: Element, shape: &[usize]) -> Result<Array, DataError> {
    if array.element() != element || array.items() != shape.iter().product::<usize>() {
        return Err(DataError::new(format!(
            "buffer `{name}` holds {} of {}, but {} of {} is given",
            shape_text(shape),
            dtype::word(element),
            shape_text(array.shape()),
            dtype::word(array.element())
        )));
    }
    Array::new(element, shape.to_vec(), array.into_bytes())
}
