import Foundation
import Recorder

extension Scene {
  /// Records into files that may not grow beyond a few kilobytes for a while; prints how many
  /// entries were lost, after the lines of the log.
  static let fullDisk = Scene(name: "fullDisk") { arguments in
    struct State: Encodable, Sendable {
      var count = 0
      var text = ""
    }
    resetSignals()
    var options = RecorderOptions()
    options.destinations = [.file(arguments.first ?? "")]
    let recorder = StateRecorder(app: "Probe", options: options)
    let list = recorder.machine("list", initial: State())
    func send(_ numbers: ClosedRange<Int>) {
      for number in numbers {
        let text = String(repeating: "\(number % 10)", count: 400)
        list.record("added", state: State(count: number, text: text))
      }
      recorder.flush(within: .seconds(120))
    }
    send(1...10)
    limitFiles(to: 16_000)
    for number in 11...60 { send(number...number) }
    limitFiles(to: .max)
    send(61...61)
    recorder.close(within: .seconds(120))
    print(recorder.statistics.lost)
  }

  /// Makes the system refuse what would make a file longer.
  static func limitFiles(to bytes: UInt) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
