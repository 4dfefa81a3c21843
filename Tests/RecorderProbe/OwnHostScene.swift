import Foundation
import JSONCore
import Recorder
import Synchronization
import Timelines
import Wire

extension Scene {
  /// An app that is its own host, and runs a reducer there that traps.
  static let ownHost = Scene(name: "own-host") { _ in
    ReducerHost.runIfAsked(Troubled.self, TroubledForm.self)
    guard let host = HostChoice.runner(allowsLive: false, machines: { [] }) else {
      print("no host")
      return
    }
    print(host.offer.place.rawValue, host.offer.makes.joined(separator: " "))
    let isOver = DispatchSemaphore(value: 0)
    let answer = CommandAnswer(id: .number(1), maxMessage: 1 << 20) { envelope in
      print(String(decoding: envelope.encoded(), as: UTF8.self))
      isOver.signal()
    }
    let line = #"""
      {"type":"reduce","id":1,"make":"RecorderProbe.Troubled.self","state":{"total":1,"notes":[]},"seq":1,"steps":[{"event":{"added":{"_0":2}},"t":1},{"event":{"trapped":{}},"t":2}]}
      """#
    let envelope = try? Envelope<ToRecorder>(reading: Array(line.utf8), maxMessage: 1 << 20)
    guard case .reduce(let reduce)? = envelope?.body else { return }
    host.reduce(reduce, answer: answer)
    isOver.wait()
    print("the app goes on")
  }
}
