import Synchronization

/// A bounded first-in, first-out queue between one producer and one consumer.
///
/// The consumer waits while it is empty. The producer either waits for space or drops the oldest
/// element.
final class BoundedChannel<Element: Sendable>: Sendable {
  private struct Contents {
    var elements = WaitingQueue<Element>()
    var isFinished = false
    var consumer: CheckedContinuation<Element?, Never>?
    /// The producer, while it waits until fewer than `threshold` elements are left.
    var producer: (threshold: Int, continuation: CheckedContinuation<Void, Never>)?

    mutating func dequeueSuspendedProducer() -> CheckedContinuation<Void, Never>? {
      guard let producer, isFinished || elements.count < producer.threshold else { return nil }
      self.producer = nil
      return producer.continuation
    }
  }

  private enum Dequeued {
    case element(Element, then: CheckedContinuation<Void, Never>?)
    case end
    case nothingYet
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    precondition(limit > 0, "A buffer needs space for one element; pass a limit of 1 or more.")
    self.limit = limit
  }

  /// Adds an element; waits while the channel is full.
  func put(_ element: Element) async {
    await waitUntilFewer(than: limit)
    append(element)
  }

  /// Adds an element immediately; a full channel drops its oldest.
  func putDroppingOldest(_ element: Element) {
    append(element, limit: limit)
  }

  /// Adds an element immediately, even to a full channel; the next ``put(_:)`` waits for space.
  func putBeyondLimit(_ element: Element) {
    append(element)
  }

  /// Waits until the consumer has dequeued everything.
  func waitUntilEmpty() async {
    await waitUntilFewer(than: 1)
  }

  /// The next element; nil when the channel is finished or the task is canceled.
  func next() async -> Element? {
    switch contents.withLock(Self.dequeue) {
    case .element(let element, let producer):
      producer?.resume()
      return element
    case .end:
      return nil
    case .nothingYet:
      return await withTaskCancellationHandler {
        await withCheckedContinuation { wait(with: $0) }
      } onCancel: {
        let consumer = contents.withLock { $0.consumer.take() }
        consumer?.resume(returning: nil)
      }
    }
  }

  /// Finishes the channel: its elements can still be dequeued, later ones are dropped.
  func finish() {
    let (consumer, producer) = contents.withLock { contents in
      contents.isFinished = true
      return (contents.consumer.take(), contents.dequeueSuspendedProducer())
    }
    consumer?.resume(returning: nil)
    producer?.resume()
  }

  private func append(_ element: Element, limit: Int = .max) {
    let consumer = contents.withLock { contents -> CheckedContinuation<Element?, Never>? in
      guard !contents.isFinished else { return nil }
      if let consumer = contents.consumer.take() { return consumer }
      if contents.elements.count >= limit { _ = contents.elements.popFirst() }
      contents.elements.append(element)
      return nil
    }
    consumer?.resume(returning: element)
  }

  private static func dequeue(from contents: inout sending Contents) -> sending Dequeued {
    if Task.isCancelled { return .end }
    if let element = contents.elements.popFirst() {
      return .element(element, then: contents.dequeueSuspendedProducer())
    }
    return contents.isFinished ? .end : .nothingYet
  }

  private func wait(with continuation: CheckedContinuation<Element?, Never>) {
    let dequeued = contents.withLock { contents in
      let dequeued = Self.dequeue(from: &contents)
      if case .nothingYet = dequeued { contents.consumer = continuation }
      return dequeued
    }
    switch dequeued {
    case .element(let element, let producer):
      producer?.resume()
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
        let isDone = contents.withLock { contents in
          let isDone =
            contents.isFinished || contents.elements.count < threshold || Task.isCancelled
          if !isDone { contents.producer = (threshold, continuation) }
          return isDone
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let producer = contents.withLock { $0.producer.take() }
      producer?.continuation.resume()
    }
  }
}
