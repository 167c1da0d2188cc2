//! Rules of the structure of functions: regions, terminators, numbers and kinds of operands.

use crate::rule::Rule;

const SHELL: &str = "https://mlir.llvm.org/docs/LangRef";
const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";

family! {
    /// A block without its terminator.
    TERMINATOR = Rule::of("", "terminator",
        "A block ends with the terminator of its region, and only there.", SHELL)
        .because("Without a terminator the successor of the block and the results of the region are undefined.")
        .instead("End the block with the operation that the message names, such as `return` or `scf.yield`.");

    /// A wrong number of values.
    ARITY = Rule::of("", "arity",
        "Calls, branches, yields and returns pass as many values as their target takes.", SHELL)
        .because("A value without a partner is lost, or has no source.")
        .instead("Pass one value for each argument or result.");

    /// A use that its definition does not dominate.
    DOMINANCE = Rule::of("", "dominance",
        "A definition is executed before each use of its value, on every path.", SHELL)
        .because("On the other paths the value is undefined.")
        .instead("Move the definition to a block that every path passes, or pass the value on as a result or block argument.");

    /// Operands that match no form.
    OPERANDS = Rule::of("", "operands", "The operands of an operation are those of one of its forms.", MANUAL)
        .because("Operands have their roles by position and keyword: without a form they have no meaning.")
        .instead("Write the operands as one of the forms that the help lists.");

    /// An operand of the wrong kind.
    OPERAND_TYPE = Rule::of("", "operand-type",
        "Operands and results have the types that the operation takes and returns.", MANUAL)
        .because("The operation is not defined for a value of another type.")
        .instead("Use a value of the type that the message names, or convert it before.");

    /// An operation that is only parsed and printed.
    UNSUPPORTED = Rule::of("", "unsupported",
        "A program that is run contains only operations that `pto run` executes.", "docs/instructions.md")
        .because("A skipped operation would make every result after it wrong.")
        .instead("Only check and format the file, or replace the operation by operations that `pto run` executes.");

    /// An unknown target.
    UNKNOWN_TARGET = Rule::of("", "unknown-target",
        "`pto.target_arch` is a2a3, a2, a3, a5 or cpu; `pto.device-spec` is a device of one of these targets.", MANUAL)
        .because("pto has no rules for an unknown device.")
        .instead("Write a known target, or name the profile with `--target`.");
}
