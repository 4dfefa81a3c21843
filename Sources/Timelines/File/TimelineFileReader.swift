import JSONCore

/// Reads a `.timeline` file piece by piece, holding no more than one line.
///
/// A file is UTF-8: the header's line, then a line for each entry, each ended by a line feed; a
/// carriage return right before it counts as part of the end. A last line without an end is read
/// when it is whole; else it is a torn tail, which a stopped writer leaves: everything before it is
/// good, and `finish` tells its length.
///
/// ```swift
/// var reader = TimelineFileReader()
/// for try await chunk in chunks {
///   try reader.read(chunk) { item in … }
/// }
/// let torn = try reader.finish { item in … }
/// ```
public struct TimelineFileReader: Sendable {
  /// What a line holds.
  public enum Item: Sendable {
    /// The first line.
    case header(Header)
    /// A line after it; `line` counts from 1, `offset` is its first byte in the file.
    case entry(Entry, line: Int, offset: Int)
  }

  /// A line that was left out.
  public struct Skipped: Hashable, Sendable {
    /// Why, and where.
    public var error: TimelineFileError
    /// How many bytes, the line's end not counted.
    public var bytes: Int
  }

  /// What becomes of lines that cannot be read.
  public enum Mode: Hashable, Sendable {
    /// The first one ends the reading with an error.
    case strict
    /// They are left out and noted. A file without a readable header still is an error.
    case lenient
  }

  /// The lines that were left out, in lenient mode; at most ``skippedLimit`` are noted.
  public private(set) var skipped: [Skipped] = []

  /// The number of lines that were left out.
  public private(set) var skippedCount = 0

  /// The most skipped lines that are noted, so that a file of rubbish does not fill the memory.
  public static let skippedLimit = 10_000

  /// The most bytes that a line may have where nothing else is said: 64 MiB, four times what a
  /// recorder may send in one message.
  public static let standardLineLimit = 64 << 20

  private let mode: Mode
  private let lineLimit: Int

  /// The line being read, without what was dropped of it because it was too long.
  private var partial: [UInt8] = []
  /// The bytes of it, dropped ones included.
  private var partialCount = 0
  private var line = 1
  private var offset = 0
  private var hasHeader = false
  private var hasFailed = false

  /// A reader at the beginning of a file.
  public init(mode: Mode = .strict, lineLimit: Int = standardLineLimit) {
    self.mode = mode
    self.lineLimit = lineLimit
  }

  /// Reads the next piece of the file, and hands on what its whole lines hold.
  ///
  /// After an error, one that `body` throws included, nothing more is read.
  public mutating func read(
    _ chunk: some Collection<UInt8>, _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) {
    var rest = chunk[...]
    while !hasFailed, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      try keep(rest[..<end])
      try endLine(body)
      rest = rest[rest.index(after: end)...]
    }
    if !hasFailed { try keep(rest) }
  }

  /// Ends the file; answers the tail that a stopped writer left.
  public mutating func finish(
    _ body: (Item) throws(TimelineFileError) -> Void
  ) throws(TimelineFileError) -> TornTail? {
    guard !hasFailed else { return nil }
    guard partialCount > 0 else {
      if !hasHeader { throw fail(.empty) }
      return nil
    }
    let tail = TornTail(bytes: partialCount, line: line, offset: offset)
    guard partialCount <= lineLimit, let slice = try? JSONSlice(validating: partial) else {
      guard hasHeader else {
        if let sign = Self.foreignSign(partial) { throw fail(sign) }
        throw fail(.tornHeader)
      }
      return tail
    }
    try take(slice, bytes: partialCount, body)
    return nil
  }
}

extension TimelineFileReader {
  private mutating func keep(_ bytes: some Collection<UInt8>) throws(TimelineFileError) {
    let (sum, overflow) = partialCount.addingReportingOverflow(bytes.count)
    partialCount = overflow ? .max : sum
    guard partialCount <= lineLimit else {
      partial = []
      if mode == .strict || !hasHeader { throw fail(.tooLong(limit: lineLimit)) }
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
    try take(slice, bytes: count, body)
  }

  private mutating func take(
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

  /// What the first bytes tell of a file that is no plain UTF-8.
  private static func foreignSign(_ bytes: [UInt8]) -> TimelineFileError.Reason? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0xFE, 0xFF])
    {
      return .byteOrderMark
    }
    return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? .compressed : nil
  }
}
