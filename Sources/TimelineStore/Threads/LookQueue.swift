/// Looks at the store that wait for a thread, first come first served in each lane; the lanes take
/// turns. Pure.
struct LookQueue<Look> {
  private var waiting: [ReadLane: [Look]] = [:]
  /// The lanes with looks that wait, the next one to have its turn first.
  private var turns: [ReadLane] = []
  /// The looks of each session that threads are busy with.
  private var running: [ReadLane: Int] = [:]
  /// The most looks of one session at once, so that slow ones leave a thread for everybody else.
  private let maximumPerSession: Int

  init(maximumPerSession: Int = .max) { self.maximumPerSession = maximumPerSession }

  var isEmpty: Bool { turns.isEmpty }

  var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ look: Look, to lane: ReadLane) {
    if waiting[lane] == nil { turns.append(lane) }
    waiting[lane, default: []].append(look)
  }

  /// Removes and returns the next look of the lane whose turn it is, and that lane.
  mutating func next() -> (look: Look, lane: ReadLane)? {
    let lane = turns.first { running[$0, default: 0] < maximumPerSession }
    guard let lane, let look = next(of: lane) else { return nil }
    if case .session = lane { running[lane, default: 0] += 1 }
    return (look, lane)
  }

  /// Removes and returns the next look of one lane, which then waits for all others.
  mutating func next(of lane: ReadLane) -> Look? {
    guard var looks = waiting.removeValue(forKey: lane), !looks.isEmpty else { return nil }
    turns.removeAll { $0 == lane }
    let look = looks.removeFirst()
    if !looks.isEmpty {
      waiting[lane] = looks
      turns.append(lane)
    }
    return look
  }

  /// Records that a look that `next()` returned has ended.
  mutating func end(of lane: ReadLane) {
    guard let count = running[lane] else { return }
    running[lane] = count > 1 ? count - 1 : nil
  }
}
