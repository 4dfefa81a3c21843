internal import CLibWebsockets

/// The C library that moves the bytes.
public enum TransportLibrary {
  /// The version found at run time, for `--version` and bug reports.
  public static var version: String {
    guard let text = lws_get_library_version() else { return "unknown" }
    // Behind a hyphen stands the commit that it was built from, in Debian's build an empty one.
    let version = String(cString: text)
    return version.hasSuffix("-") ? String(version.dropLast()) : version
  }
}
