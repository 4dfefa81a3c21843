import JSONCore
package import Timelines

/// The file of a timeline in pieces, with the lines as they were recorded.
///
/// Entries that are appended after the export began are not included. A branch's file is complete,
/// including the shared entries.
///
/// ```swift
/// var export = try await store.export(id, packed: true)
/// while let bytes = try await export.next() { try file.write(bytes) }
/// ```
package struct TimelineExport {
  private let store: Store
  private let header: [UInt8]
  private let id: TimelineID
  private let through: Int64?
  private let packing: PackingStream?
  private var position: Int64 = 0
  private var stage = Stage.header

  private enum Stage {
    case header, entries, end
  }

  init(store: Store, record: TimelineRecord, packing: PackingStream?) {
    self.store = store
    header = record.header
    id = record.id
    through = record.last
    self.packing = packing
  }

  /// The next bytes, about a quarter of a MiB of lines; `nil` at the end.
  package mutating func next() async throws -> [UInt8]? {
    while stage != .end {
      let bytes = try await lines()
      let isEnd = stage == .end
      let out = try packing?.pack(bytes, isEnd: isEnd) ?? bytes
      if !out.isEmpty { return out }
    }
    return nil
  }

  private mutating func lines() async throws -> [UInt8] {
    if stage == .header {
      stage = through == nil ? .end : .entries
      return header + [UInt8(ascii: "\n")]
    }
    guard let through else { return [] }
    let (id, start) = (id, position)
    let (bytes, next) = try await store.read { reader in
      try reader.lines(of: reader.lineage(of: id), in: start...through)
    }
    if let next {
      position = next
    } else {
      stage = .end
    }
    return bytes
  }
}

extension Store {
  package nonisolated func export(
    _ id: TimelineID, packed: Bool
  ) async throws -> TimelineExport {
    let record = try await read { reader in try reader.timeline(id) }
    let packing = packed ? PackingStream(level: 9) : nil
    guard !packed || packing != nil else { throw StoreError(.packed("there is no memory")) }
    return TimelineExport(store: self, record: record, packing: packing)
  }
}

extension StoreReader {
  /// About a quarter of a MiB of lines, and where to continue.
  func lines(
    of lineage: Lineage, in seqs: ClosedRange<Int64>
  ) throws(StoreError) -> (bytes: [UInt8], next: Int64?) {
    var bytes: [UInt8] = []
    var next: Int64?
    var damage: StoreError?
    try forEachLine(of: lineage, in: seqs, damaged: { damage = damage ?? $1 }) { seq, line in
      guard damage == nil else { return false }
      guard bytes.count < 256 << 10 else {
        next = seq
        return false
      }
      bytes.append(contentsOf: line)
      bytes.append(UInt8(ascii: "\n"))
      return true
    }
    if let damage { throw damage }
    return (bytes, next)
  }
}
