internal import JSONCore
internal import Timelines
import Wire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An uploaded JSON document that becomes a timeline once it is complete: an export of Redux
/// DevTools, or the fixture of an exported test.
struct ReceivedDocument {
  /// The maximum bytes of a document: it is held in memory whole, several times while it is read.
  static let largest: Int64 = 256 << 20

  private let name: String
  private var bytes: [UInt8] = []

  /// Starts a document; `nil` if the file name does not end in `.json`.
  init?(name: String, bytes: Int64) throws {
    guard name.lowercased().hasSuffix(".json") else { return nil }
    guard bytes <= Self.largest else {
      throw Refusal(
        .limit, "A JSON document can have at most \(Self.largest) bytes.", path: "bytes")
    }
    let last = name.split(separator: "/").last ?? "redux"
    self.name = String(last.dropLast(".json".count).prefix(100))
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The lines of the `.timeline` file with the same content.
  func lines() throws -> [UInt8] {
    if let fixture = fixture() { return fixture }
    do {
      let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
      return TimelineFile.bytes(
        of: try ReduxDevTools.read(bytes, named: name, id: .random(), now: now))
    } catch {
      throw Refusal(
        .wrongValue,
        "The file is neither an export of Redux DevTools nor a fixture of a test: \(error)",
        path: "data")
    }
  }

  /// The header and the entries, if the document is the fixture of an exported test.
  private func fixture() -> [UInt8]? {
    guard let document = try? JSONSlice(validating: bytes), let header = document["header"],
      let entries = document["entries"], header.kind == .object, entries.kind == .array
    else { return nil }
    var lines = header.value.encoded() + [UInt8(ascii: "\n")]
    for entry in entries.elements { lines += entry.value.encoded() + [UInt8(ascii: "\n")] }
    return lines
  }
}
