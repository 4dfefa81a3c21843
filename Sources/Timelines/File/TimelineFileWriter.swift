import JSONCore

/// Puts a `.timeline` file together, one line after the other.
///
/// ```swift
/// var writer = TimelineFileWriter(header)
/// writer.append(entry)
/// try file.write(writer.take())
/// ```
public struct TimelineFileWriter: Sendable {
  /// The lines that were not taken yet.
  public private(set) var bytes: [UInt8]

  /// A file that begins with a header.
  public init(_ header: Header) {
    bytes = []
    end(header.line.bytes)
  }

  /// Adds an entry's line as it is.
  public mutating func append(_ entry: Entry) {
    end(entry.line.bytes)
  }

  /// Adds an entry's line as it is written.
  ///
  /// Nothing is checked here: ``EntryDraft/entry()`` checks the line, and ``Timeline/append(_:)``
  /// whether it can follow. A reader refuses what is wrong.
  public mutating func append(_ draft: EntryDraft) {
    draft.write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The lines that were added since the last time.
  public mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func end(_ line: ArraySlice<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }
}
