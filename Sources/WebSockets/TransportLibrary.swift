internal import CLibWebsockets

/// The C library that moves the bytes.
public enum TransportLibrary {
  /// The version found at run time, for `--version` and bug reports.
  public static var version: String {
    lws_get_library_version().map { String(cString: $0) } ?? "unknown"
  }
}
