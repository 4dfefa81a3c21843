import JSONCore
import Timelines
import Wire

extension Group {
  /// The speed of verification, on all cores.
  static let verifyMetric = Metric(
    "prove.verify_vs_direct",
    "times as fast as one thread that decodes, reduces, encodes the patch, and compares",
    goal: .atLeast(1.3))

  /// The same as an absolute figure.
  static let verifyRateMetric = Metric(
    "prove.verify_entries_per_s",
    "entries a second of a cart's recording, from the request to the verdict")

  /// Verifies a recording of a cart through a daemon, and in a loop.
  static func verifyRate(_ measure: Measure) throws -> [String: Double] {
    let count = measure.isQuick ? 20_000 : 300_000
    let rounds = measure.isQuick ? 3 : 7
    return try blocking {
      let recording = try await HostedRecording(
        of: ReplayedCart.self, from: ReplayedCart(), (1...count).lazy.map(ReplayedCart.event))
      do {
        var (verified, direct): ([Double], [Double]) = ([], [])
        // The first round starts the host and warms it up.
        for _ in 0...rounds {
          verified.append(try await secondsOfVerify(recording))
          direct.append(try secondsOfLoop(recording.steps))
        }
        await recording.end()
        let (ours, loop) = (
          Measure.median(Array(verified.dropFirst())), Measure.median(Array(direct.dropFirst()))
        )
        return [
          "prove.verify_vs_direct": loop / ours,
          "prove.verify_entries_per_s": Double(count) / ours,
        ]
      } catch {
        await recording.end()
        throw error
      }
    }
  }

  private static func secondsOfVerify(_ recording: HostedRecording) async throws -> Double {
    let (answer, seconds) = try await recording.ask(
      .verify(FromInspector.Verify { $0.timeline = recording.timeline }))
    guard case .verify(let verdict) = answer, verdict.outcome == .same,
      verdict.entries == Int64(recording.steps.count)
    else { throw BenchmarkError("the recording of a pure reducer was not verified") }
    return seconds
  }

  /// The least that a proof needs: without a daemon, a host, a store, outputs, and lines.
  private static func secondsOfLoop(_ steps: [HostedStep]) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let decoder = CanonicalDecoder()
    var state = ReplayedCart()
    var encoder = IncrementalEncoder<ReplayedCart>()
    try encoder.start(state)
    for step in steps {
      let event = try decoder.decode(ReplayedCart.Event.self, from: step.event)
      state = ReplayedCart.reduce(state: state, event: event)
      guard try encoder.advance(to: state).patch == step.patch else {
        throw BenchmarkError("the loop produces other patches than the recording")
      }
    }
    return (clock.now - start) / .seconds(1)
  }
}
