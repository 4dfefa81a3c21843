/// Reads and writes whole `.timeline` files that are at hand as bytes.
public enum TimelineFile {
  /// A timeline and what its writer left behind it.
  public struct Contents: Sendable {
    /// The timeline.
    public var timeline: Timeline
    /// The beginning of a line at the end of the file.
    public var torn: TornTail?
  }

  /// Reads a file; the first thing that is wrong with it is an error, but for a torn last line.
  public static func read(
    _ bytes: some Collection<UInt8>,
    lineLimit: Int = TimelineFileReader.standardLineLimit
  ) throws(TimelineFileError) -> Contents {
    var reader = TimelineFileReader(lineLimit: lineLimit)
    var timeline: Timeline?
    func take(_ item: TimelineFileReader.Item) throws(TimelineFileError) {
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
    try reader.read(bytes, take)
    let torn = try reader.finish(take)
    // The reader ends without an error only after a header.
    guard let timeline else { throw TimelineFileError(.empty, line: 1, at: 0) }
    return Contents(timeline: timeline, torn: torn)
  }

  /// The file of a timeline: the lines as they are.
  public static func bytes(of timeline: Timeline) -> [UInt8] {
    var writer = TimelineFileWriter(timeline.header)
    for entry in timeline.entries { writer.append(entry) }
    return writer.bytes
  }
}
