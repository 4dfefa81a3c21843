import Recorder

// The measurements behind docs/performance.md. `scripts/bench` builds this optimised and runs it.

// The hosts of the groups `replay` and `prove` are this program once more.
ReducerHost.runIfAsked(ReplayedCart.self, MinimisedVault.self)

let arguments = Arguments.parse(Array(CommandLine.arguments.dropFirst()), groups: Group.all)
exit(with: arguments)
