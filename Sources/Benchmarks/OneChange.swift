import Foundation
import JSONCore

/// A large state with one changed element in each step.
///
/// Our side encodes what the recorder needs: the patch of every step, and the whole state whenever
/// the patches since the last keyframe have reached its size. Foundation's side encodes the state.
/// Computing the next state is not measured.
struct OneChange {
  private let states: [LargeState]

  /// One state for each step of a round; each shares all but one element with the previous one.
  private static let stepCount = 20

  init(_ first: LargeState) {
    var random = SeededGenerator(seed: 3)
    var states = [first]
    for _ in 0..<Self.stepCount {
      let index = Int.random(in: first.items.indices, using: &random)
      states.append(states[states.count - 1].changed(at: index))
    }
    self.states = states
  }

  struct Result {
    var ratio: Double
    var ratioWithRelease: Double
  }

  func measure(_ measure: Measure, jsonEncoder: JSONEncoder) throws -> Result {
    try check()
    var (kept, released, keyframes, foundation): ([Double], [Double], [Double], [Double]) =
      ([], [], [], [])
    for _ in 0..<measure.rounds {
      kept.append(try steps(measure, releasing: false))
      released.append(try steps(measure, releasing: true))
      keyframes.append(try keyframeShare(measure))
      foundation.append(try measure.time { use(try jsonEncoder.encode(states[1])) })
    }
    let (base, keyframe) = (Measure.median(foundation), Measure.median(keyframes))
    return Result(
      ratio: base / (Measure.median(kept) + keyframe),
      ratioWithRelease: base / (Measure.median(released) + keyframe))
  }

  /// The nanoseconds of a step without keyframes.
  ///
  /// - Parameter releasing: Whether the encoder has the last reference to the previous state, so that
  ///   the next step frees it.
  private func steps(_ measure: Measure, releasing: Bool) throws -> Double {
    var encoder = IncrementalEncoder<LargeState>()
    var upcoming = releasing ? states.map(\.unshared) : states
    upcoming.reverse()
    guard let first = upcoming.popLast() else { return .nan }
    try encoder.start(first)
    return try measure.time {
      while let next = upcoming.popLast() { use(try encoder.advance(to: next)) }
    } / Double(Self.stepCount)
  }

  /// The cost of keyframes per step. A keyframe follows thousands of steps, so most rounds do not
  /// have one; each step gets its share of the cost.
  private func keyframeShare(_ measure: Measure) throws -> Double {
    var encoder = IncrementalEncoder<LargeState>()
    try encoder.start(states[0])
    let change = try encoder.advance(to: states[1])
    let time = try measure.time { use(try encoder.fullBytes()) }
    return time * Double(change.patch.count) / Double(encoder.byteCount)
  }

  /// Checks the results, because the speed of a wrong encoder is meaningless.
  private func check() throws {
    var encoder = IncrementalEncoder<LargeState>()
    var json = try JSON(parsing: encoder.start(states[0]))
    for state in states.dropFirst() {
      let change = try encoder.advance(to: state)
      guard change.patch.count < 200 else { throw BenchmarkError("a patch is too long") }
      try json.apply(Patch(JSON(parsing: change.patch)))
    }
    let last = try CanonicalEncoder().encode(states[states.count - 1])
    guard try encoder.fullBytes() == last, try json == JSON(parsing: last) else {
      throw BenchmarkError("the patches do not lead to the last state")
    }
  }
}
