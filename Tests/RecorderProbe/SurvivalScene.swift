import Foundation
import Recorder

extension Scene {
  /// `survived HOW PLACE KIND`: records like `trap`, but survives the signal in its reducer: it
  /// ignores breakpoints, and recovers from invalid pointers. Three more events follow.
  static let survived = Scene(name: "survived") { arguments in
    guard arguments.count == 3, let way = Way(rawValue: arguments[0]) else { exit(64) }
    signal(SIGTRAP, SIG_IGN)
    signal(SIGSEGV) { _ in }
    let recorder = StateRecorder(app: "probe", options: options(arguments[1]))
    let send = sender(of: arguments[2], recorder)
    recorder.flush(within: .seconds(120))
    for _ in 0..<5 { send(.add) }
    send(.die(way))
    for _ in 0..<3 { send(.add) }
    print("closed \(recorder.close(within: .seconds(120)))")
  }
}
