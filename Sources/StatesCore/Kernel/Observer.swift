/// A registered observer or middleware of a kernel.
@usableFromInline
package final class Observer<State, Input>: Observation {
  /// What it does with a step; false when its owner is gone.
  @usableFromInline package typealias Action = (Step<State, Input>) -> Bool

  /// Whether it acts on the world, and so is not called for restored states or while held.
  @usableFromInline let acts: Bool
  @usableFromInline private(set) var action: Action?
  /// Unowned, because a weak reference would make each retain of the kernel slow; the kernel ends
  /// this before it goes.
  private unowned var kernel: Kernel<State, Input>?

  @usableFromInline
  init(acts: Bool, kernel: Kernel<State, Input>, action: @escaping Action) {
    self.acts = acts
    self.kernel = kernel
    self.action = action
  }

  @usableFromInline package override func cancel() {
    guard end() || action != nil else { return }
    // Released at the end, when the kernel has forgotten it: a deinitialiser may call the machine.
    let ended = action
    let kernel = kernel
    detach()
    kernel?.forgetEnded()
    withExtendedLifetime(ended) {}
  }

  /// Ends it and lets go of everything; what the action held is released now.
  func detach() {
    end()
    kernel = nil
    action = nil
  }
}
