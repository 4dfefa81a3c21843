import JSONCore

/// Reads a `.timeline` file in pieces, and keeps at most one line in memory.
///
/// A file is UTF-8: the header's line, then a line for each entry, each terminated with a line feed
/// or CR LF. A complete last line does not need its line feed. An incomplete one is a torn tail of a
/// writer that was stopped: everything before it is valid, and `finish` returns its length.
///
/// ```swift compiled
/// func read(_ chunks: some AsyncSequence<[UInt8], any Error>) async throws -> [Entry] {
///   var entries: [Entry] = []
///   func add(_ item: TimelineFileReader.Item) {
///     if case .entry(let entry, _, _) = item { entries.append(entry) }
///   }
///   var reader = TimelineFileReader()
///   for try await chunk in chunks { try reader.read(chunk, add) }
///   let torn = try reader.finish(add)
///   if let torn { print("line \(torn.line) is not complete") }
///   return entries
/// }
/// ```
public struct TimelineFileReader: Sendable {
  /// The content of a line.
  public enum Item: Sendable {
    /// The header.
    case header(Header)
    /// An entry; `line` counts from 1, and `offset` is its first byte in the file.
    case entry(Entry, line: Int, offset: Int)
  }

  /// A skipped line.
  public struct Skipped: Hashable, Sendable {
    /// The reason and the place.
    public var error: TimelineFileError
    /// The number of bytes without the line's end.
    public var bytes: Int
  }

  /// How to handle lines that cannot be read.
  public enum Mode: Hashable, Sendable {
    /// Throw the first error.
    case strict
    /// Skip and record them. A file without a readable header is still an error.
    case lenient
  }

  /// The skipped lines in lenient mode, at most ``skippedLimit``.
  public private(set) var skipped: [Skipped] = []

  /// The number of skipped lines.
  public private(set) var skippedCount = 0

  /// The maximum number of recorded skipped lines, so that a damaged file does not fill the memory.
  public static let skippedLimit = 10_000

  /// The default limit of a line's length: 256 MiB, as for any JSON text.
  public static let standardLineLimit = 256 << 20

  /// The default limit of the header's length: 1 MiB, which is what a daemon accepts.
  public static let standardHeaderLimit = 1 << 20

  private let mode: Mode
  private let lineLimit: Int
  private let headerLimit: Int

  /// The current line, without the dropped part of a line that is too long.
  private var partial: [UInt8] = []
  /// The length of the current line, including dropped bytes.
  private var partialCount = 0
  private var line = 1
  private var offset = 0
  private var hasHeader = false
  private var hasFailed = false

  /// Creates a reader for a file.
  public init(
    mode: Mode = .strict, lineLimit: Int = standardLineLimit,
    headerLimit: Int = standardHeaderLimit
  ) {
    self.mode = mode
    self.lineLimit = lineLimit
    self.headerLimit = min(headerLimit, lineLimit)
  }

  /// The maximum length of the current line.
  private var limit: Int { hasHeader ? lineLimit : headerLimit }

  /// Reads the next piece of the file, and calls `body` with the content of each complete line.
  ///
  /// After an error, including one that `body` throws, the reader does not continue.
  public mutating func read(
    _ chunk: some Collection<UInt8>, _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) {
    var rest = chunk[...]
    while !hasFailed, let end = endOfLine(in: rest) {
      try keep(rest[..<end])
      try endLine(body)
      rest = rest[rest.index(after: end)...]
    }
    if !hasFailed { try keep(rest) }
  }

  /// Ends the file, and returns the torn tail, if any.
  public mutating func finish(
    _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) -> TornTail? {
    guard !hasFailed else { return nil }
    guard partialCount > 0 else {
      if !hasHeader { throw fail(.empty) }
      return nil
    }
    let tail = TornTail(bytes: partialCount, line: line, offset: offset)
    guard partialCount <= limit, let slice = try? JSONSlice(validating: partial) else {
      guard hasHeader else {
        if let sign = Self.foreignSign(partial) { throw fail(sign) }
        throw fail(.tornHeader)
      }
      return tail
    }
    try readLine(slice, bytes: partialCount, body)
    return nil
  }
}

extension TimelineFileReader {
  /// The end of the current line. A header that is too long is not searched to its end.
  private func endOfLine<Bytes: Collection<UInt8>>(in bytes: Bytes) -> Bytes.Index? {
    if hasHeader { return bytes.firstIndex(of: UInt8(ascii: "\n")) }
    return bytes.prefix(headerLimit - partialCount + 1).firstIndex(of: UInt8(ascii: "\n"))
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) throws(TimelineFileError) {
    let (sum, overflow) = partialCount.addingReportingOverflow(bytes.count)
    partialCount = overflow ? .max : sum
    guard partialCount <= limit else {
      partial = []
      if mode == .strict || !hasHeader { throw fail(.tooLong(limit: limit)) }
      return
    }
    partial.append(contentsOf: bytes)
  }

  private mutating func endLine(
    _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) {
    var bytes: [UInt8] = []
    swap(&bytes, &partial)
    let count = partialCount
    partialCount = 0
    defer {
      line += 1
      offset += count + 1
    }
    guard count <= lineLimit else { return try skip(.tooLong(limit: lineLimit), bytes: count) }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if !hasHeader, let sign = Self.foreignSign(bytes) { throw fail(sign) }
    guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
      return try skip(.blank, bytes: count)
    }
    let slice: JSONSlice
    do {
      slice = try JSONSlice(validating: bytes)
    } catch {
      guard hasHeader else {
        throw fail(.header(HeaderError(.json(error.reason), at: error.offset)))
      }
      return try skip(.entry(EntryError(.json(error.reason), at: error.offset)), bytes: count)
    }
    try readLine(slice, bytes: count, body)
  }

  private mutating func readLine(
    _ slice: JSONSlice, bytes: Int, _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) {
    guard hasHeader else {
      let header: Header
      do {
        header = try Header(receiving: slice)
      } catch {
        throw fail(.header(error))
      }
      hasHeader = true
      return try hand(.header(header), to: body)
    }
    let entry: Entry
    do {
      entry = try Entry(reading: slice)
    } catch {
      let isHeader = slice["seq"] == nil && slice["timeline"] != nil
      return try skip(isHeader ? .secondHeader : .entry(error), bytes: bytes)
    }
    try hand(.entry(entry, line: line, offset: offset), to: body)
  }

  private mutating func hand(
    _ item: Item, to body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) {
    do {
      try body(item)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private mutating func skip(
    _ reason: TimelineFileError.Reason, bytes: Int
  ) throws(TimelineFileError) {
    let error = TimelineFileError(reason, line: line, at: offset)
    guard mode == .lenient, hasHeader else {
      hasFailed = true
      throw error
    }
    skippedCount += 1
    if skipped.count < Self.skippedLimit { skipped.append(Skipped(error: error, bytes: bytes)) }
  }

  private mutating func fail(_ reason: TimelineFileError.Reason) -> TimelineFileError {
    hasFailed = true
    return TimelineFileError(reason, line: line, at: offset)
  }

  /// Recognizes files that are not plain UTF-8 by their first bytes.
  private static func foreignSign(_ bytes: [UInt8]) -> TimelineFileError.Reason? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0xFE, 0xFF])
    {
      return .byteOrderMark
    }
    if bytes.starts(with: [0x1F, 0x8B]) { return .gzip }
    return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? .compressed : nil
  }
}
