internal import TimelineStore
internal import Timelines
internal import WebSockets

/// What `debugd --version` says: the product, the formats it speaks, and what it stands on.
public struct DaemonVersion: Sendable {
  /// The version of this package.
  public static let product = ProductVersion.current

  /// One line a part, the product first.
  public static var lines: [String] {
    [
      "debugd \(product)",
      "timeline format \(TimelineFormat.current)",
      "libwebsockets \(TransportLibrary.version)",
      "sqlite \(StoreLibraries.sqlite)",
      "zstd \(StoreLibraries.zstd)",
    ]
  }
}
