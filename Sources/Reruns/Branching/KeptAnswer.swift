internal import Timelines
internal import Wire

/// All parts of a host's answer.
struct KeptAnswer: Sendable {
  var entries: [Entry] = []
  var end: BranchBase?
  var ended: EarlyEnd?
  var kept: ClosedRange<Int64>?

  init(of host: any ReducerHosting, to request: ToRecorder.Reduce) async throws {
    let parts = Parts()
    try await host.reduce(request) { part in await parts.add(part) }
    for part in await parts.all {
      for slice in part.entries {
        do { entries.append(try Entry(reading: slice)) } catch {
          throw Refusal(.failed, "The host answered with an invalid entry: \(error)")
        }
      }
      if let state = part.state { end = BranchBase(state: state, outputs: part.outputState) }
      ended = part.ended ?? ended
      kept = part.kept?.seqs ?? kept
    }
  }

  private actor Parts {
    private(set) var all: [FromRecorder.Reduced] = []
    func add(_ part: FromRecorder.Reduced) { all.append(part) }
  }
}
