import Foundation

extension Group {
  /// States of 10 and 100 MB of which an event changes one number.
  static let large = Group(
    name: "large",
    summary: "states of 10 and 100 MB with one change: an entry, and memory",
    metrics: LargeRecording.metrics + LargeStored.metrics
  ) { measure in
    let folder = NSTemporaryDirectory() + "large-benchmark-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let megabytes = measure.isQuick ? [1, 4] : [10, 100]
    var values: [String: Double] = [:]
    for (name, size) in zip(["10mb", "100mb"], megabytes) {
      let recording = LargeRecording(
        megabytes: size, steps: measure.isQuick ? 5 : 20, file: "\(folder)/\(name).timeline")
      values.merge(try recording.measure(named: name)) { $1 }
    }
    values.merge(
      try LargeStored.measure("\(folder)/100mb.timeline", megabytes: megabytes[1])
    ) { $1 }
    return values
  }
}
