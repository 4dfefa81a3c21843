import Synchronization
import Testing

@testable import StatesCore

@Suite("Subscriptions")
struct SubscriptionTests {
  final class Owner {
    var seen: [Int] = []
  }

  @Test("repeated cancels, and cancels after the machine is gone, do nothing")
  func repeatedCancel() {
    var form: StateForm<Int, Never>? = StateForm(state: 0)
    let first = form?.subscribe { _ in }
    let second = form?.subscribe { _ in }
    first?.cancel()
    first?.cancel()
    #expect(first?.isActive == false)
    form = nil
    second?.cancel()
    #expect(second?.isActive == false)
  }

  @Test("a closure given by hand runs at the first cancel only")
  func byHand() {
    var count = 0
    let subscription = Subscription { count += 1 }
    let copy = subscription
    subscription.cancel()
    copy.cancel()
    #expect(count == 1)
  }

  @Test("a scope cancels when it is released, and on request")
  func scopeCancelsOnReleaseAndRequest() {
    let form = StateForm(state: 0)
    var seen: [Int] = []
    var scope: SubscriptionScope? = SubscriptionScope()
    if let scope {
      form.subscribe { seen.append($0) }.store(in: scope)
      #expect(scope.count == 1)
    }
    form.apply { $0 = 1 }
    scope = nil
    form.apply { $0 = 2 }
    #expect(seen == [0, 1])
    #expect(form.kernel.checkInvariants() == [])

    let second = SubscriptionScope()
    form.subscribe { seen.append($0) }.store(in: second)
    second.cancelAll()
    form.apply { $0 = 3 }
    #expect(seen == [0, 1, 2])
    #expect(second.count == 0)
  }

  /// What a screen of the main actor is: anybody may hold it, and let go of it last.
  @MainActor
  final class Screen {
    private let subscriptions = SubscriptionScope()

    init(_ form: StateForm<Int, Never>, _ seen: @escaping (Int) -> Void) {
      form.subscribe(seen).store(in: subscriptions)
    }
  }

  final class Holder: Sendable {
    private let screen: Mutex<Screen?>

    init(_ screen: Screen) { self.screen = Mutex(screen) }

    func release() {
      let screen = screen.withLock { screen in
        defer { screen = nil }
        return screen
      }
      withExtendedLifetime(screen) {}
    }
  }

  @Test("a scope that is released on another thread, while its machine steps, ends its observers")
  @MainActor
  func scopeElsewhere() async {
    for _ in 0..<50 {
      let form = StateForm(state: 0)
      var last = 0
      let holder = Holder(Screen(form) { last = $0 })
      let release = Task.detached { holder.release() }
      for _ in 0..<200 { form.apply { $0 += 1 } }
      await release.value
      let seen = last
      form.apply { $0 += 1 }
      #expect(last == seen && seen <= 200)
      #expect(form.kernel.observers.isEmpty)
      #expect(form.kernel.checkInvariants() == [])
    }
  }

  @Test("a scope removes subscriptions that have ended")
  func scopeStaysSmall() {
    let form = StateForm(state: 0)
    let scope = SubscriptionScope()
    for _ in 0..<1_000 {
      let subscription = form.subscribe { _ in }
      subscription.store(in: scope)
      subscription.cancel()
    }
    #expect(scope.count == 0)
  }

  @Test("with an owner an observer is weak and ends with it")
  func withOwnerObserverIsWeakAndEndsWithIt() {
    let form = StateForm(state: 0)
    var owner: Owner? = Owner()
    weak let released = owner
    if let owner {
      form.subscribe(owner: owner) { $0.seen.append($1) }
      form.onTransition(owner: owner) { owner, old, new in owner.seen.append(new - old) }
      form.subscribe(path: \.self, owner: owner) { owner, _, new in owner.seen.append(new * 100) }
      form.react(to: { $0 }, owner: owner) { $0.seen.append($1 * 10) }
      form.react(to: { $0 > 1 ? $0 : nil }, owner: owner) { $0.seen.append($1 * 1_000) }
      form.react(to: { $0 > 1 ? () : nil }, owner: owner) { $0.seen.append(-1) }
    }
    form.apply { $0 = 2 }
    #expect(owner?.seen == [0, 2, 2, 200, 20, 2_000, -1])
    owner = nil
    #expect(released == nil)
    form.apply { $0 = 3 }
    #expect(form.kernel.observers.isEmpty)
    #expect(form.kernel.checkInvariants() == [])
  }
}
