#if Recording && os(Linux)
  internal import WebSockets
#endif

/// Whether this build can record to a daemon.
public enum Recording {
  /// Whether the package trait `Recording` is on, so that recorders record.
  public static var isCompiledIn: Bool {
    #if Recording
      true
    #else
      false
    #endif
  }

  /// The transport that was compiled in, or `nil` when the package trait `Recording` is off.
  public static var transport: String? {
    #if Recording && os(Linux)
      "libwebsockets \(TransportLibrary.version)"
    #else
      nil
    #endif
  }
}
