/// The format of timelines, on the wire and in files.
public enum TimelineFormat {
  /// The format that this build writes. It reads this one and every older one.
  public static let current = 1
}
