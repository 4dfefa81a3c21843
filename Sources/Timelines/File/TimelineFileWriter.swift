import JSONCore

/// Writes a `.timeline` file line by line.
///
/// ```swift compiled
/// func write(_ header: Header, _ entries: [Entry], to file: FileHandle) throws {
///   var writer = TimelineFileWriter(header)
///   for entry in entries { writer.append(entry) }
///   try file.write(contentsOf: Data(writer.removeLines()))
/// }
/// ```
public struct TimelineFileWriter: Sendable {
  /// The lines that were not returned yet.
  public private(set) var bytes: [UInt8]

  /// Starts a file with a header.
  public init(_ header: Header) {
    bytes = []
    end(header.line.bytes)
  }

  /// Adds an entry's unchanged line.
  public mutating func append(_ entry: Entry) {
    end(entry.line.bytes)
  }

  /// Adds the line of a draft.
  ///
  /// Does not validate: ``EntryDraft/entry()`` validates the line, and ``Timeline/append(_:)`` whether
  /// it can follow the previous ones. Readers refuse invalid files.
  public mutating func append(_ draft: EntryDraft) {
    draft.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the lines that were added since the last call.
  public mutating func removeLines() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func end(_ line: ArraySlice<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }
}
