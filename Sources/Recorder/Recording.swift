#if Recording && os(Linux)
  internal import WebSockets
#endif

/// What this build can record.
public enum Recording {
  /// Whether the package trait `Recording` is on. Without it, recorders do nothing.
  public static var isCompiledIn: Bool {
    #if Recording
      true
    #else
      false
    #endif
  }

  /// The WebSocket transport in this build, or `nil` when the package trait `Recording` is off.
  public static var transport: String? {
    #if Recording && os(Linux)
      "libwebsockets \(TransportLibrary.version)"
    #else
      nil
    #endif
  }
}
