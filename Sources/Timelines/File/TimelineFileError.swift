/// Why a file is not a valid timeline, and where.
public struct TimelineFileError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The line, counted from 1.
  public var line: Int

  /// The byte offset of the line in the file.
  public var offset: Int

  /// Creates an error in a line.
  public init(_ reason: Reason, line: Int, at offset: Int) {
    self.reason = reason
    self.line = line
    self.offset = offset
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The file has no bytes.
    case empty
    /// The file begins with a byte order mark.
    case byteOrderMark
    /// The file is compressed with zstd.
    case compressed
    /// The file is compressed with gzip, as the page's samples are.
    case gzip
    /// The first line is incomplete, so there is no header.
    case tornHeader
    /// The first line is not a valid header.
    case header(HeaderError)
    /// A later line is a header, so the file has two timelines.
    case secondHeader
    /// The line is empty.
    case blank
    /// The line is longer than allowed.
    case tooLong(limit: Int)
    /// The line is not a valid entry.
    case entry(EntryError)
    /// The entry cannot follow the previous ones.
    case order(TimelineError)
  }
}

extension TimelineFileError: CustomStringConvertible {
  /// A sentence with the line.
  public var description: String {
    "line \(line) (byte \(offset)): \(reason)"
  }
}

extension TimelineFileError.Reason: CustomStringConvertible {
  /// A sentence without the line.
  public var description: String {
    switch self {
    case .empty: "the file is empty; a timeline begins with its header"
    case .byteOrderMark:
      "the file begins with a byte order mark; to fix, save it as UTF-8 without one"
    case .compressed:
      "the file is compressed; to fix, unpack it: zstd -d FILE.timeline.zst"
    case .gzip: "the file is compressed; to fix, unpack it: gunzip FILE.timeline.gz"
    case .tornHeader: "the file ends inside its header"
    case .header(let error): "\(error)"
    case .secondHeader:
      "a second header, but a file holds one timeline; to fix, split the file before this line"
    case .blank: "the line is blank"
    case .tooLong(let limit): "the line has more than \(limit) bytes"
    case .entry(let error): "\(error)"
    case .order(let error): "\(error)"
    }
  }
}
