internal import HostProcesses
internal import Timelines

/// A recorder that offered to run reducers.
struct RecorderOffer: Sendable {
  /// Its connection.
  var recorder: PeerID
  /// What is told of it.
  var summary: ToInspector.HostSummary
  /// The run of its app.
  var run: String?
  /// Whether it keeps the steps of timelines between requests.
  var keeps = false
}

/// Whoever knows the recorders that are connected, and passes requests to them.
protocol RecorderHosts: Sendable {
  /// The recorders that run reducers, in the order in which they are asked.
  func recorderOffers() async -> [RecorderOffer]

  /// Passes a request to a recorder; it is answered by the closure in any case.
  func reduce(
    _ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID,
    answer: @escaping @Sendable (HostAnswer) -> Void
  ) async

  /// Nobody waits for a request any more.
  func cancelReduce(_ number: Int64) async
}

/// A recorder's host, as everything else sees hosts.
struct RecorderHost: ReducerHosting {
  private let offer: RecorderOffer
  private let number: @Sendable () -> Int64
  private let hosts: any RecorderHosts

  /// A host that a recorder offers; `number` gives the numbers of its requests.
  init(
    _ offer: RecorderOffer, of hosts: any RecorderHosts, number: @escaping @Sendable () -> Int64
  ) {
    self.offer = offer
    self.hosts = hosts
    self.number = number
  }

  var summary: ToInspector.HostSummary { offer.summary }

  var keeps: Bool { offer.keeps }

  func reduce(
    _ request: ToRecorder.Reduce, part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    let number = number()
    try await ReduceRun(host: offer.summary.name, request: request)(
      begin: { answer in
        await hosts.reduce(number, request, on: offer.recorder, answer: answer)
      },
      cancel: { await hosts.cancelReduce(number) }, part: part)
  }
}
