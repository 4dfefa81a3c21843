import DebugServer
import Testing

@Suite("The daemon's version")
struct DaemonVersionTests {
  @Test("names the product, the format, and each library with the version found at run time")
  func lines() {
    let lines = DaemonVersion.lines
    #expect(lines.first == "debugd \(DaemonVersion.product)")
    #expect(
      lines.map { $0.split(separator: " ").dropLast().joined(separator: " ") } == [
        "debugd", "timeline format", "libwebsockets", "sqlite", "zstd",
      ])
    for line in lines {
      #expect(line.split(separator: " ").last?.first?.isNumber == true, "\(line)")
    }
  }
}
