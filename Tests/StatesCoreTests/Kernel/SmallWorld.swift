@testable import StatesCore

/// What can be done to a machine, from outside or from inside an observer.
enum WorldOperation: String, CaseIterable {
  case send, render, act, cancelFirst, cancelLast, holdRefusing, holdQueueing, resume, restore
}

/// A machine in a small world: the real one, or the naive model.
protocol World: AnyObject {
  /// Called when an observer is notified.
  var notified: (_ observer: Int, _ what: String) -> Void { get set }
  func perform(_ operation: WorldOperation) -> String
  var summary: String { get }
}

/// Runs operations in a world and writes down everything that can be seen.
///
/// The observer `reactor` performs `reaction` when it is notified for the first time.
func story(
  in world: some World, reactor: Int, reaction: [WorldOperation], script: [WorldOperation]
) -> [String] {
  var lines: [String] = []
  var hasReacted = false
  world.notified = { observer, what in
    lines.append("\(observer) receives \(what)")
    guard observer == reactor, !hasReacted else { return }
    hasReacted = true
    for operation in reaction {
      let answer = world.perform(operation)
      lines.append("  inside: \(operation) \(answer)")
    }
  }
  for operation in [.render, .act] + script {
    let answer = world.perform(operation)
    lines.append("\(operation) \(answer): \(world.summary)")
  }
  return lines
}

/// The kernel under test. The state counts the inputs, the negative part the restores.
final class RealWorld: World {
  var notified: (Int, String) -> Void = { _, _ in }
  private let kernel = Kernel<Int, Int>(0) { kernel, input in kernel.state + input }
  private var subscriptions: [(id: Int, subscription: Subscription)] = []
  private var nextID = 0
  private(set) var violations: [String] = []

  func perform(_ operation: WorldOperation) -> String {
    defer { violations += kernel.checkInvariants() }
    switch operation {
    case .send: return "\(kernel.send(1, at: CallSite()))"
    case .render: add(acts: false)
    case .act: add(acts: true)
    case .cancelFirst: cancel(at: subscriptions.indices.first)
    case .cancelLast: cancel(at: subscriptions.indices.last)
    case .holdRefusing: kernel.hold(.refuse)
    case .holdQueueing: kernel.hold(.queue(limit: 2))
    case .resume: kernel.resume()
    case .restore: return "\(kernel.restore(kernel.state + 100, at: CallSite()))"
    }
    return ""
  }

  private func add(acts: Bool) {
    let id = nextID
    nextID += 1
    let subscription = kernel.observe(acts: acts) { [unowned self] step in
      let kind = step.isRestored ? "restored" : "step"
      notified(id, "\(kind) #\(step.number) \(step.before) -> \(step.after) held \(step.isHeld)")
      return true
    }
    subscriptions.append((id, subscription))
    if !acts { kernel.deliver { notified(id, "current \(kernel.state)") } }
  }

  private func cancel(at index: Int?) {
    guard let index else { return }
    subscriptions.remove(at: index).subscription.cancel()
  }

  var summary: String {
    "state \(kernel.state), #\(kernel.number), \(kernel.waitingCount) waiting, held \(kernel.isHeld)"
  }
}

/// The same in the plainest words: one agenda, worked off one item at a time.
final class ModelWorld: World {
  private enum Item {
    case input, restore(Int)
  }

  var notified: (Int, String) -> Void = { _, _ in }
  private var state = 0
  private var number = 0
  private var agenda: [Item] = []
  private var observers: [(id: Int, acts: Bool)] = []
  private var nextID = 0
  private var isRunning = false
  private var hold: HoldPolicy?

  func perform(_ operation: WorldOperation) -> String {
    switch operation {
    case .send: return "\(send())"
    case .render, .act:
      let id = nextID
      nextID += 1
      observers.append((id, operation == .act))
      if operation == .render { asPartOfAStep { notified(id, "current \(state)") } }
    case .cancelFirst: if !observers.isEmpty { observers.removeFirst() }
    case .cancelLast: if !observers.isEmpty { observers.removeLast() }
    case .holdRefusing: hold = .refuse
    case .holdQueueing: hold = .queue(limit: 2)
    case .resume:
      hold = nil
      asPartOfAStep {}
    case .restore:
      agenda.append(.restore(state + 100))
      let answer = isRunning ? SendAnswer.queued : .handled
      asPartOfAStep {}
      return "\(answer)"
    }
    return ""
  }

  private func send() -> SendAnswer {
    switch hold {
    case .refuse?: return .refused
    case .queue(let limit)? where agenda.count >= limit: return .refused
    default: agenda.append(.input)
    }
    guard hold == nil, !isRunning else { return .queued }
    asPartOfAStep {}
    return .handled
  }

  private func asPartOfAStep(_ body: () -> Void) {
    guard !isRunning else { return body() }
    isRunning = true
    body()
    while let index = agenda.firstIndex(where: mayRun) { step(agenda.remove(at: index)) }
    isRunning = false
  }

  private func mayRun(_ item: Item) -> Bool {
    if case .restore = item { return true }
    return hold == nil
  }

  private func step(_ item: Item) {
    let before = state
    let isHeld = hold != nil
    var kind = "step"
    switch item {
    case .input: state += 1
    case .restore(let restored): (state, kind) = (restored, "restored")
    }
    number += 1
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      if observer.acts, kind == "restored" || hold != nil { continue }
      notified(observer.id, "\(kind) #\(number) \(before) -> \(state) held \(isHeld)")
    }
  }

  var summary: String {
    "state \(state), #\(number), \(agenda.count) waiting, held \(hold != nil)"
  }
}
