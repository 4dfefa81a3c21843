// What the thread sanitizer must say nothing about, and with the argument `race` what it must find.
//
// Four threads fight for one Mutex; the planted race is a word beside it that they change without.

import Foundation
import Synchronization

final class Shared: @unchecked Sendable {
  let guarded = Mutex<[Int]>([])
  var beside = 0
}

let shared = Shared()
let plantsRace = CommandLine.arguments.contains("race")
let group = DispatchGroup()
for _ in 0..<4 {
  group.enter()
  Thread {
    for number in 0..<100_000 {
      shared.guarded.withLock { $0.append(number) }
      if plantsRace { shared.beside += 1 }
    }
    group.leave()
  }.start()
}
group.wait()
exit(shared.guarded.withLock(\.count) == 400_000 ? 0 : 1)
