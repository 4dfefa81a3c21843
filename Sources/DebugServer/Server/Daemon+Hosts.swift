internal import HostProcesses
internal import Reruns
internal import Timelines
internal import Wire

// Recorders as hosts.
extension Daemon: RecorderHosts {
  func recorderOffers() -> [RecorderOffer] { hub.hosts.offers }

  func reduce(
    _ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID,
    answer: @escaping @Sendable (HostAnswer) -> Void
  ) {
    reducing[number] = answer
    handle(.reduce(number, recorder, request))
  }

  func cancelReduce(_ number: Int64) {
    reducing[number] = nil
    handle(.cancelReduce(number))
  }

  /// Passes on a recorder's answer.
  func reduced(_ number: Int64, _ answer: HostAnswer) {
    reducing[number]?(answer)
    if case .reduced(let reduced) = answer, reduced.more { return }
    reducing[number] = nil
  }
}
