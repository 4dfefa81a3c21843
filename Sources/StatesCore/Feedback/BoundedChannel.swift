import Synchronization

/// A bounded first-in-first-out queue between one task that puts and one that takes.
///
/// Taking waits while it is empty. Putting has two ways: wait for room, or give up the oldest.
final class BoundedChannel<Element: Sendable>: Sendable {
  private struct Contents {
    var elements = WaitingQueue<Element>()
    var isFinished = false
    var taker: CheckedContinuation<Element?, Never>?
    /// Whoever waits until fewer than `threshold` elements are left.
    var putter: (threshold: Int, continuation: CheckedContinuation<Void, Never>)?

    mutating func takePutterIfThereIsRoom() -> CheckedContinuation<Void, Never>? {
      guard let putter, isFinished || elements.count < putter.threshold else { return nil }
      self.putter = nil
      return putter.continuation
    }
  }

  private enum Taken {
    case element(Element, then: CheckedContinuation<Void, Never>?)
    case end
    case nothingYet
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    precondition(limit > 0, "A buffer needs room for one element; give a limit of 1 or more.")
    self.limit = limit
  }

  /// Adds an element; waits while the channel is full.
  func put(_ element: Element) async {
    await waitUntilFewer(than: limit)
    append(element)
  }

  /// Adds an element at once; a full channel loses its oldest.
  func putDroppingOldest(_ element: Element) {
    append(element, limit: limit)
  }

  /// Adds an element at once, even to a full channel; the next ``put(_:)`` waits until there is room.
  func putBeyondLimit(_ element: Element) {
    append(element)
  }

  /// Waits until everything is taken.
  func waitUntilEmpty() async {
    await waitUntilFewer(than: 1)
  }

  /// The next element; nil when the channel is finished or the task is cancelled.
  func next() async -> Element? {
    switch contents.withLock(Self.take) {
    case .element(let element, let putter):
      putter?.resume()
      return element
    case .end:
      return nil
    case .nothingYet:
      return await withTaskCancellationHandler {
        await withCheckedContinuation { wait(with: $0) }
      } onCancel: {
        let taker = contents.withLock { $0.taker.take() }
        taker?.resume(returning: nil)
      }
    }
  }

  /// Ends it: what is in it can still be taken, what comes later is lost.
  func finish() {
    let (taker, putter) = contents.withLock { contents in
      contents.isFinished = true
      return (contents.taker.take(), contents.takePutterIfThereIsRoom())
    }
    taker?.resume(returning: nil)
    putter?.resume()
  }

  private func append(_ element: Element, limit: Int = .max) {
    let taker = contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
      guard !contents.isFinished else { return nil }
      if let taker = contents.taker.take() { return taker }
      if contents.elements.count >= limit { _ = contents.elements.popFirst() }
      contents.elements.append(element)
      return nil
    }
    taker?.resume(returning: element)
  }

  private static func take(from contents: inout sending Contents) -> sending Taken {
    if Task.isCancelled { return .end }
    if let element = contents.elements.popFirst() {
      return .element(element, then: contents.takePutterIfThereIsRoom())
    }
    return contents.isFinished ? .end : .nothingYet
  }

  private func wait(with continuation: CheckedContinuation<Element?, Never>) {
    let taken = contents.withLock { contents in
      let taken = Self.take(from: &contents)
      if case .nothingYet = taken { contents.taker = continuation }
      return taken
    }
    switch taken {
    case .element(let element, let putter):
      putter?.resume()
      continuation.resume(returning: element)
    case .end: continuation.resume(returning: nil)
    case .nothingYet: break
    }
  }

  private func waitUntilFewer(than threshold: Int) async {
    let hasRoom = contents.withLock { $0.isFinished || $0.elements.count < threshold }
    if hasRoom { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = contents.withLock { contents in
          let goesOn =
            contents.isFinished || contents.elements.count < threshold || Task.isCancelled
          if !goesOn { contents.putter = (threshold, continuation) }
          return goesOn
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      let putter = contents.withLock { $0.putter.take() }
      putter?.continuation.resume()
    }
  }
}
