import JSONCore
import StatesCore
import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What headers say about the app and its surroundings.
enum HeaderFacts {
  /// The version of the recorder, in headers.
  static let recorderVersion = "1.0"

  /// The app in this process.
  static func app(named name: String, version: String?) -> Header.App {
    var app = Header.App(name: name)
    app.version = version
    app.process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    app.pid = Int64(getpid())
    app.host = hostName
    app.platform = platform
    app.run = TimelineID.random().text
    return app
  }

  /// The wall clock.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  private static var hostName: String? {
    // The longest name that POSIX allows, and its end.
    var bytes = [UInt8](repeating: 0, count: 256)
    // Safe: the buffer is lent for the call, which is told its size without the last zero.
    let isKnown = bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return false }
      return gethostname(start.assumingMemoryBound(to: CChar.self), buffer.count - 1) == 0
    }
    guard isKnown else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  private static var platform: String {
    #if os(Linux)
      "Linux"
    #elseif os(macOS)
      "macOS"
    #elseif os(iOS)
      "iOS"
    #elseif os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #else
      "unknown"
    #endif
  }
}
