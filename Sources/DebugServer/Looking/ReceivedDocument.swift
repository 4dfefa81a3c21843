internal import JSONCore
internal import Timelines

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that is one JSON document, and becomes a timeline when it is complete: what Redux DevTools
/// writes, or the fixture of an exported test.
struct ReceivedDocument {
  /// A document is held in memory as a whole, several times while it is read.
  static let largest: Int64 = 256 << 20

  private let name: String
  private var bytes: [UInt8] = []

  /// Begins a document; nil where the file's name does not say that it is one.
  init?(name: String, bytes: Int64) throws {
    guard name.lowercased().hasSuffix(".json") else { return nil }
    guard bytes <= Self.largest else {
      throw Refusal(.limit, "A JSON document has at most \(Self.largest) bytes.", path: "bytes")
    }
    let last = name.split(separator: "/").last ?? "redux"
    self.name = String(last.dropLast(".json".count).prefix(100))
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The lines of a `.timeline` file of the same.
  func lines() throws -> [UInt8] {
    if let fixture = fixture() { return fixture }
    do {
      let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
      return TimelineFile.bytes(
        of: try ReduxDevTools.read(bytes, named: name, id: .random(), now: now))
    } catch {
      throw Refusal(.wrongValue, "This file is none that can be read: \(error)", path: "data")
    }
  }

  /// The header and the entries, where the document is the fixture of an exported test.
  private func fixture() -> [UInt8]? {
    guard let document = try? JSONSlice(validating: bytes), let header = document["header"],
      let entries = document["entries"], header.kind == .object, entries.kind == .array
    else { return nil }
    var lines = header.value.encoded() + [UInt8(ascii: "\n")]
    for entry in entries.elements { lines += entry.value.encoded() + [UInt8(ascii: "\n")] }
    return lines
  }
}
