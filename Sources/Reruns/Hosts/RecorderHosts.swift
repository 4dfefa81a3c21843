package import HostProcesses
package import Wire

/// A recorder that offered to run reducers.
package struct RecorderOffer: Sendable {
  /// Its connection.
  package var recorder: PeerID
  package var summary: ToInspector.HostSummary
  /// The run of its app.
  var run: String?
  /// Whether it keeps the steps of timelines between requests.
  var keeps = false
}

/// Knows the connected recorders, and passes requests to them.
package protocol RecorderHosts: Sendable {
  /// The recorders that run reducers, in order of preference.
  func recorderOffers() async -> [RecorderOffer]

  /// Passes a request to a recorder. The closure is always called with an answer.
  func reduce(
    _ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID,
    answer: @escaping @Sendable (HostAnswer) -> Void
  ) async

  func cancelReduce(_ number: Int64) async
}

/// A recorder's host, as everything else sees hosts.
struct RecorderHost: ReducerHosting {
  private let offer: RecorderOffer
  private let number: @Sendable () -> Int64
  private let hosts: any RecorderHosts

  /// A host that a recorder offers; `number` makes the numbers of its requests.
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
