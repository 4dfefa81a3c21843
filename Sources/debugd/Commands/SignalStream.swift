@preconcurrency import Dispatch
import Foundation

/// Signals as a stream: nothing happens in a handler.
struct SignalStream {
  /// The numbers of the signals, as they come.
  let numbers: AsyncStream<Int32>

  /// Takes these signals from now on.
  init(_ wanted: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    numbers = stream
    let sources = wanted.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
    continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
  }
}
