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

/// The parts of a header about the app and its environment.
enum HeaderFacts {
  static let recorderVersion = ProductVersion.current

  /// Describes the app in this process.
  static func app(named name: String, version: String?, commit: String?) -> Header.App {
    var app = Header.App(name: name)
    app.version = version
    app.commit = commit
    app.process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    app.pid = Int64(getpid())
    app.host = hostName
    app.platform = platform
    app.run = TimelineID.random().text
    return app
  }

  /// The wall-clock time.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  private static var hostName: String? {
    // The longest name that POSIX allows, and the terminator.
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.isEmpty ? nil : text
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
