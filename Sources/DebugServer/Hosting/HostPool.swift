package import Timelines

/// What can run reducers: recorders that offered it.
///
/// It knows who they are and what they can make. Running something on one, and starting executables
/// as hosts, is not part of this build; every request that needs it is refused with a sentence.
package struct HostPool: Sendable {
  private struct Host: Sendable {
    var recorder: PeerID
    var summary: ToInspector.HostSummary
  }

  private var hosts: [Host] = []

  /// No hosts.
  package init() {}

  /// What is told of the hosts, in the order in which they are asked: processes, which die without
  /// harm, before live apps.
  package var summaries: [ToInspector.HostSummary] {
    hosts.filter { $0.summary.place == .process }.map(\.summary)
      + hosts.filter { $0.summary.place == .live }.map(\.summary)
  }

  /// Adds what a recorder offers.
  package mutating func add(_ offer: FromRecorder.HostOffer, of recorder: PeerID, run: String?) {
    let summary = ToInspector.HostSummary {
      $0.name = run ?? "recorder \(recorder.number)"
      $0.place = offer.place
      $0.makes = offer.makes
    }
    hosts.append(Host(recorder: recorder, summary: summary))
  }

  /// Forgets a recorder; `false` when it offered nothing.
  package mutating func remove(_ recorder: PeerID) -> Bool {
    let count = hosts.count
    hosts.removeAll { $0.recorder == recorder }
    return hosts.count < count
  }

  /// Why a request that needs a host is not carried out.
  package func refusal(of request: FromInspector) -> Refusal {
    let what =
      switch request {
      case .fork: "make branches"
      case .verify: "verify timelines"
      case .compare: "compare timelines"
      case .minimise: "minimise timelines"
      case .compute: "compute states that were not captured"
      case .host: "start hosts"
      default: "do this"
      }
    return Refusal(.noHost, "This build of the daemon does not \(what) yet: it runs no hosts.")
  }
}
