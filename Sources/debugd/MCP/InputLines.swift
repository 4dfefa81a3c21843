import Synchronization

/// The lines of standard input.
final class InputLines: Sendable {
  private struct State {
    var reader: LineReader
    var lines: [[UInt8]] = []
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let input = StandardInput()
  private let maximumBytes: Int

  /// A line that is longer ends the stream, because what follows cannot be understood.
  init(maximumBytes: Int) {
    self.maximumBytes = maximumBytes
    state = Mutex(State(reader: LineReader(maximumBytes: maximumBytes)))
  }

  /// The next line; nil at the end.
  ///
  /// - Throws: ``CommandError`` if the input cannot be read, or a line is too long.
  func next() async throws -> [UInt8]? {
    while true {
      let (line, hasEnded) = state.withLock { state in
        (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.hasEnded)
      }
      if let line { return line }
      if hasEnded { return nil }
      let bytes = try await input.next()
      let isTooLong = state.withLock { state in
        let lines = bytes.isEmpty ? nil : state.reader.lines(adding: bytes)
        state.lines = lines ?? []
        state.hasEnded = lines == nil
        return lines == nil && !bytes.isEmpty
      }
      guard !isTooLong else {
        throw CommandError(
          "A line of standard input has more than \(maximumBytes >> 20) MiB, so the session has ended."
        )
      }
    }
  }
}

struct LineReader {
  let maximumBytes: Int
  private var begun: [UInt8] = []

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// The lines that end in these bytes; nil once one is too long.
  mutating func lines(adding bytes: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = begun + rest[..<end]
      guard line.count <= maximumBytes else { return nil }
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { lines.append(line) }
      begun = []
      rest = rest[(end + 1)...]
    }
    begun += rest
    return begun.count <= maximumBytes ? lines : nil
  }
}
