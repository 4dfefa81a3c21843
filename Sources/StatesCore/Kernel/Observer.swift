/// A registered observer or middleware of a kernel.
@usableFromInline
package final class Observer<State, Input>: Observation {
  /// Handles a step; returns false when its owner is gone.
  @usableFromInline package typealias Action = (Step<State, Input>) -> Bool

  /// Whether it has side effects, and so is not called for restored states or while held.
  @usableFromInline let acts: Bool
  @usableFromInline private(set) var action: Action?
  /// Unowned, because a weak reference would make each retain of the kernel slow; the kernel
  /// detaches its observers before it is released.
  private unowned var kernel: Kernel<State, Input>?

  @usableFromInline
  init(acts: Bool, kernel: Kernel<State, Input>, action: @escaping Action) {
    self.acts = acts
    self.kernel = kernel
    self.action = action
  }

  @usableFromInline package override func cancel() {
    guard end() || action != nil else { return }
    // Released last, after the kernel has removed it: a deinitializer may call the machine.
    let ended = action
    let kernel = kernel
    detach()
    kernel?.removeEndedObservers()
    withExtendedLifetime(ended) {}
  }

  /// Ends it and releases everything the action held.
  func detach() {
    end()
    kernel = nil
    action = nil
  }
}
