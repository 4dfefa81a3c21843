import Foundation
import Recorder
import StatesCore

extension Scene {
  /// Records more machines into files than the process may have descriptors, and then a machine when
  /// none is left at all, and a machine for a daemon; prints how many entries were lost each time, after the lines of the log.
  static let fewDescriptors = Scene(name: "fewDescriptors") { arguments in
    limitDescriptors(to: 40)
    func lost(recording count: Int, in folder: String, _ body: () -> Void = {}) -> Int {
      var options = RecorderOptions()
      options.destinations = [.file(folder)]
      let recorder = StateRecorder(app: "Probe", options: options)
      body()
      let forms = (0..<count).map { recorder.record(StateForm(state: 0), as: "form \($0)") }
      for round in 1...2 {
        for form in forms { form.apply { $0 = round } }
        recorder.flush(within: .seconds(120))
      }
      recorder.close(within: .seconds(120))
      return recorder.statistics.lost
    }
    let folder = arguments.first ?? ""
    print(lost(recording: 100, in: "\(folder)/many"))
    print(lost(recording: 1, in: "\(folder)/none") { useAllDescriptors() })
    useAllDescriptors()
    var options = RecorderOptions()
    options.destinations = [.daemon(DaemonDestination(address: "unix:\(folder)/socket"))]
    StateRecorder(app: "Probe", options: options).close(within: .zero)
  }

  private static func useAllDescriptors() { while open("/dev/null", O_RDONLY) >= 0 {} }

  private static func limitDescriptors(to count: UInt) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
