import Timelines
import Wire

extension Group {
  /// The speed of verification.
  static let verifyMetric = Metric(
    "prove.verify_entries_per_s",
    "entries a second of a cart's recording, from the request to the verdict",
    goal: .atLeast(300_000))

  /// Verifies a recording of a cart through a daemon.
  static func verifyRate(_ measure: Measure) throws -> [String: Double] {
    let count = measure.isQuick ? 20_000 : 300_000
    let rounds = measure.isQuick ? 3 : 7
    return try blocking {
      let recording = try await HostedRecording(
        of: ReplayedCart.self, from: ReplayedCart(), (1...count).lazy.map(ReplayedCart.event))
      do {
        var rates: [Double] = []
        // The first round starts the host and warms it up.
        for _ in 0...rounds {
          let (answer, seconds) = try await recording.ask(
            .verify(FromInspector.Verify { $0.timeline = recording.timeline }))
          guard case .verify(let verdict) = answer, verdict.outcome == .same,
            verdict.entries == Int64(count)
          else { throw BenchmarkError("the recording of a pure reducer was not verified") }
          rates.append(Double(count) / seconds)
        }
        await recording.end()
        return ["prove.verify_entries_per_s": Measure.median(Array(rates.dropFirst()))]
      } catch {
        await recording.end()
        throw error
      }
    }
  }
}
