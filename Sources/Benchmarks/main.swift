// The measurements behind docs/performance.md. `scripts/bench` builds this optimised and runs it.

let arguments = Arguments.parse(Array(CommandLine.arguments.dropFirst()), groups: Group.all)
exit(with: arguments)
