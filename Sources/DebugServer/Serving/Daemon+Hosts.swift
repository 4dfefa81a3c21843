internal import HostProcesses
internal import Timelines

// Recorders as hosts.
extension Daemon: RecorderHosts {
  func recorderOffers() -> [RecorderOffer] { hub.hosts.offers }

  func reduce(
    _ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID,
    answer: @escaping @Sendable (HostAnswer) -> Void
  ) {
    reducing[number] = answer
    take(.reduce(number, recorder, request))
  }

  func cancelReduce(_ number: Int64) {
    reducing[number] = nil
    take(.cancelReduce(number))
  }

  /// Hands on what a recorder answers.
  func reduced(_ number: Int64, _ answer: HostAnswer) {
    reducing[number]?(answer)
    if case .reduced(let reduced) = answer, reduced.more { return }
    reducing[number] = nil
  }
}
