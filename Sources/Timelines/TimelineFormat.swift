/// The format of timelines, in the protocol and in files.
public enum TimelineFormat {
  /// The format that this build writes. It also reads every older one.
  public static let current = 1
}
