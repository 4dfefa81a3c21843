/// Reads and writes whole `.timeline` files in memory.
public enum TimelineFile {
  /// A timeline and the incomplete line after it.
  public struct Contents: Sendable {
    /// The timeline.
    public var timeline: Timeline
    /// An incomplete line at the end of the file.
    public var torn: TornTail?
  }

  /// Reads a file. Throws the first error, except for an incomplete last line.
  public static func read(
    _ bytes: some Collection<UInt8>,
    lineLimit: Int = TimelineFileReader.standardLineLimit
  ) throws(TimelineFileError) -> Contents {
    var reader = TimelineFileReader(lineLimit: lineLimit)
    var timeline: Timeline?
    func add(_ item: TimelineFileReader.Item) throws(TimelineFileError) {
      switch item {
      case .header(let header): timeline = Timeline(header)
      case .entry(let entry, let line, let offset):
        do {
          try timeline?.append(entry)
        } catch {
          throw TimelineFileError(.order(error), line: line, at: offset)
        }
      }
    }
    try reader.read(bytes, add)
    let torn = try reader.finish(add)
    // Without a header, the reader would have thrown.
    guard let timeline else { throw TimelineFileError(.empty, line: 1, at: 0) }
    return Contents(timeline: timeline, torn: torn)
  }

  /// The file of a timeline, with unchanged lines.
  public static func bytes(of timeline: Timeline) -> [UInt8] {
    var writer = TimelineFileWriter(timeline.header)
    for entry in timeline.entries { writer.append(entry) }
    return writer.bytes
  }
}
