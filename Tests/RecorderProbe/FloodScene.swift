import Foundation
import JSONCore
import Recorder
import Timelines

extension Scene {
  /// `flood PLACE COUNT BYTES SECONDS [PADDING]`: writes entries as fast as it can for the daemon
  /// at an address, with a buffer of BYTES, and waits up to SECONDS for the daemon to store them.
  ///
  /// Then prints what happened to them, its peak memory, and the duration of the slowest call.
  static let flood = Scene(name: "flood") { arguments in
    guard arguments.count >= 4, let address = DaemonAddress(arguments[0]),
      let count = Int64(arguments[1]), let bytes = Int(arguments[2]),
      let seconds = Int(arguments[3])
    else { exit(64) }
    let padding = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
    var options = DaemonSinkOptions()
    options.outbox.bytes = bytes
    options.retry.first = .milliseconds(5)
    options.retry.longest = .milliseconds(50)
    let sink = DaemonSink([SocketTransport(address)], options: options)
    var producer = FloodProducer(padding: padding)
    guard let header = producer.header else { exit(70) }
    let before = residentKilobytes()
    sink.open(header)
    var slowest = Duration.zero
    while producer.seq < count {
      let batch = producer.next(Int(min(500, count - producer.seq)))
      let time = ContinuousClock().measure { sink.append(batch[...], to: header.timeline) }
      slowest = max(slowest, time)
      if !sink.drainRequests().isEmpty { producer.mustBeKeyframe = true }
      // With this option it does not outrun the daemon, so any loss is a bug.
      if seconds > 0 {
        while sink.status.bytes > bytes / 2, sink.flush(within: .milliseconds(1)) == false {}
      }
    }
    sink.close(header.timeline, gap: nil)
    let isFullyAcknowledged = sink.flushAcrossReconnects(within: .seconds(seconds))
    let status = sink.status
    print("timeline \(header.timeline)")
    print(
      "settled \(isFullyAcknowledged) sent \(status.counts.sent) dropped \(status.counts.dropped)")
    print("kept \(status.bytes) grown \(residentKilobytes() - before) slowest \(slowest)")
    sink.end()
  }

  /// The peak memory of this process.
  static func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// Lines of a counter.
private struct FloodProducer {
  let header: Header?
  var seq: Int64 = 0
  var mustBeKeyframe = true
  private let padding: String

  init(padding: Int) {
    self.padding = String(repeating: "x", count: padding)
    let fields = Header.Fields(
      timeline: .random(), app: Header.App(name: "flood"),
      machine: Header.Machine(type: "Probe.Counter", name: "counter"),
      started: Timestamp(microseconds: 1_777_622_400_000_000))
    header = try? Header(fields)
  }

  mutating func next(_ count: Int) -> [WrittenEntry] {
    (0..<count).map { _ in
      let isKeyframe = mustBeKeyframe || seq % 100 == 0
      mustBeKeyframe = false
      defer { seq += 1 }
      var line = "{\"seq\":\(seq),\"t\":\(seq)"
      if seq > 0 { line += ",\"event\":{\"add\":{\"by\":1}}" }
      if isKeyframe { line += ",\"state\":{\"n\":\(seq),\"text\":\"\(padding)\"}" }
      if seq > 0 { line += ",\"patch\":[{\"op\":\"replace\",\"path\":\"/n\",\"value\":\(seq)}]" }
      return WrittenEntry(seq: seq, line: Array((line + "}").utf8), isKeyframe: isKeyframe)
    }
  }
}
