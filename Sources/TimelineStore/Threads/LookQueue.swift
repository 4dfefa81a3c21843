/// Looks at the store that wait for a thread, first come first served in each lane; the lanes take
/// turns. Pure.
struct LookQueue<Look> {
  private var waiting: [ReadLane: [Look]] = [:]
  /// The lanes with looks that wait, the next one to have its turn first.
  private var turns: [ReadLane] = []

  var isEmpty: Bool { turns.isEmpty }

  mutating func add(_ look: Look, to lane: ReadLane) {
    if waiting[lane] == nil { turns.append(lane) }
    waiting[lane, default: []].append(look)
  }

  /// Takes the next look of the lane whose turn it is.
  mutating func next() -> Look? {
    guard let lane = turns.first else { return nil }
    return next(of: lane)
  }

  /// Takes the next look of one lane, which then waits for all others.
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
}
