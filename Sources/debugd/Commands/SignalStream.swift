@preconcurrency import Dispatch
import Foundation

/// Signals as a stream: nothing happens in a handler.
struct SignalStream {
  /// The numbers of the signals, as they come.
  let numbers: AsyncStream<Int32>
  private let continuation: AsyncStream<Int32>.Continuation

  /// Takes these signals; once it is made, none is lost.
  init(_ wanted: [Int32]) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    numbers = stream
    self.continuation = continuation
    let queue = DispatchQueue(label: "signals")
    let installing = DispatchGroup()
    let sources = wanted.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(number) }
      // Until then the signal is ignored: it is installed on a thread of Dispatch's.
      installing.enter()
      source.setRegistrationHandler { installing.leave() }
      source.resume()
      return source
    }
    continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
    await withCheckedContinuation { made in installing.notify(queue: queue) { made.resume() } }
  }

  /// Adds a signal to the stream as if it had come.
  func send(_ number: Int32) { continuation.yield(number) }
}
