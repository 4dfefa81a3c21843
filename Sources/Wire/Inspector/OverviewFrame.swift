import JSONCore
import Timelines

/// Counts over a stretch of a timeline, as the binary frame that answers `overview`.
///
/// ```
/// bytes 0..<4       length of the head, unsigned, little-endian; a multiple of 4
/// then the head     JSON (``OverviewHead``), spaces at its end up to that length
/// then the columns  for each a number for each bucket, 32 bits, unsigned, little-endian
/// ```
/// The columns are ``OverviewColumn``'s in their order, then one for each lane. They begin at a
/// multiple of 4, so that a page looks at them in place. Larger counts are given as 2^32 - 1.
/// Bucket i holds each x from `from` to `to` with ⌊(x - from) · buckets / (to - from + 1)⌋ = i.
package struct OverviewFrame: Sendable {
  /// What the columns are of.
  package var head: OverviewHead

  /// The numbers, column by column.
  package let columns: [[UInt32]]

  /// The bytes of the columns, once they are encoded.
  private var columnBytes: [UInt8]?

  /// A frame.
  ///
  /// - Precondition: there are as many columns as the head asks for, each of `buckets` numbers.
  package init(head: OverviewHead, columns: [[UInt32]]) {
    precondition(columns.count == OverviewColumn.allCases.count + head.lanes.count)
    precondition(columns.allSatisfy { $0.count == head.buckets })
    self.head = head
    self.columns = columns
  }

  /// Encodes the columns, which may be megabytes, so that ``encoded()`` only copies them.
  package mutating func encodeColumns() { columnBytes = encodedColumns() }

  private func encodedColumns() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(columns.count * Int(head.buckets) * 4)
    for column in columns {
      for number in column { Self.append(number, to: &bytes) }
    }
    return bytes
  }

  package func encoded() -> [UInt8] {
    var writer = JSONText()
    var head = head
    writer.object { writer in
      var type = OverviewHead.type
      writer.field("type", &type)
      head.fields(&writer)
    }
    let padding = (4 - writer.bytes.count % 4) % 4
    writer.raw(repeatElement(UInt8(ascii: " "), count: padding))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + writer.bytes.count + columns.count * Int(head.buckets) * 4)
    Self.append(UInt32(writer.bytes.count), to: &bytes)
    bytes += writer.bytes
    bytes += columnBytes ?? encodedColumns()
    return bytes
  }

  package init(reading bytes: [UInt8], limits: ProtocolLimits = ProtocolLimits())
    throws(MessageError)
  {
    guard let length = Self.number(at: 0, in: bytes).flatMap({ Int(exactly: $0) }),
      length.isMultiple(of: 4), length <= bytes.count - 4
    else { throw MessageError(.wrongValue("the frame is shorter than its head"), path: "head") }
    let text: JSONSlice
    do {
      text = try JSONSlice(validating: Array(bytes[4..<4 + length]))
    } catch {
      throw MessageError(.malformed(error))
    }
    let head = try OverviewHead(reading: text)
    guard (1...Int64(limits.overviewBuckets)).contains(head.buckets) else {
      throw MessageError(
        .wrongValue("there are 1 to \(limits.overviewBuckets) buckets"), path: "buckets")
    }
    let buckets = Int(head.buckets)
    let count = OverviewColumn.allCases.count + head.lanes.count
    guard bytes.count - 4 - length == count * buckets * 4 else {
      throw MessageError(.wrongValue("the frame does not hold \(count) columns"), path: "columns")
    }
    self.head = head
    columns = (0..<count).map { column in
      (0..<buckets).map { bucket in
        Self.number(at: 4 + length + 4 * (column * buckets + bucket), in: bytes) ?? 0
      }
    }
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
  }

  private static func number(at index: Int, in bytes: [UInt8]) -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
  }
}

/// The columns that every overview has, in the order of the frame.
package enum OverviewColumn: Int, CaseIterable, Sendable {
  /// Entries.
  case entries
  /// Entries with an `error`.
  case errors
  /// Entries that were lost, by the `gap` of the next one.
  case lost
  /// Keyframes.
  case keyframes
  /// Entries whose state was not captured.
  case thinned
}
