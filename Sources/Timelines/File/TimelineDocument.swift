package import JSONCore

/// A timeline as one JSON document: `{"header":{…},"entries":[…]}`, with a line for each entry.
///
/// A form of fixtures for tools that read JSON, but not JSON lines. Both forms have the same recorded
/// bytes.
///
/// ```
/// let document = TimelineDocument.bytes(header: timeline.header, timeline.entries.map(\.line.bytes))
/// let lines = try TimelineDocument.lines(of: document)
/// ```
package enum TimelineDocument {
  /// The document of a header and lines of entries.
  package static func bytes(
    header: Header, _ entries: some Sequence<some Sequence<UInt8>>
  ) -> [UInt8] {
    var bytes = Array("{\"header\":".utf8) + header.line.bytes
    bytes += Array(",\"entries\":[".utf8)
    var separator = "\n"
    for entry in entries {
      bytes += Array(separator.utf8) + entry
      separator = ",\n"
    }
    return bytes + Array("\n]}\n".utf8)
  }

  /// The `.timeline` file of a document; `nil` if it has another form.
  package static func lines(of document: [UInt8]) throws(JSONError) -> [UInt8]? {
    let json = try JSONSlice(validating: document)
    guard let header = json["header"], let entries = json["entries"], entries.kind == .array else {
      return nil
    }
    var lines = Array(header.onOneLine.bytes) + [0x0A]
    for entry in entries.elements { lines += Array(entry.onOneLine.bytes) + [0x0A] }
    return lines
  }

  /// Whether a file that begins with these bytes may be such a document.
  package static func mayBegin(with bytes: some Sequence<UInt8>) -> Bool {
    let text = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return text.starts(with: Array("{\"header\":{".utf8))
  }
}
