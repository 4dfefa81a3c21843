internal import CLibWebsockets

/// The C library under this module.
public enum TransportLibrary {
  /// The version found at run time, for `--version` and bug reports.
  public static var version: String {
    guard let text = lws_get_library_version() else { return "unknown" }
    // The commit follows a hyphen; in Debian's build, it is empty.
    let version = String(cString: text)
    return version.hasSuffix("-") ? String(version.dropLast()) : version
  }
}
