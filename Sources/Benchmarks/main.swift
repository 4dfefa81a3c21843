import Recorder

// The measurements behind docs/performance.md. `scripts/bench` builds this with optimization and runs it.

// The hosts of the groups `replay`, `prove`, and `explore` are this program, too.
ReducerHost.runIfAsked(
  ReplayedCart.self, MinimizedVault.self, ExploredCart.self, ExploredShop.self,
  ExploredBasket.self)

let arguments = Arguments.parse(
  Array(CommandLine.arguments.dropFirst()), groups: Group.all, huge: Group.hugeGroups)
exit(with: arguments)
