package import Timelines

/// What can run reducers, as it is told to inspectors: executables, and recorders that offered it.
package struct HostPool: Sendable {
  private struct Host: Sendable {
    var recorder: PeerID
    var offer: FromRecorder.HostOffer
    var run: String?
    var app: String?
    var process: Int64?
    var isBusy = false

    /// What people call it: the app and its process, as far as they are known.
    var name: String {
      // Which of several runs it is: by the number that the system gives a process, for people.
      let place = process.map { "\($0)" } ?? run
      if let app { return place.map { "\(app)-\($0)" } ?? app }
      return run ?? "recorder \(recorder.number)"
    }
  }

  private var hosts: [Host] = []

  /// What is told of the executables that were given to the daemon.
  package var executables: [ToInspector.HostSummary] = []

  /// No hosts.
  package init() {}

  /// What is told of the hosts, in the order in which they are asked: executables, then apps once
  /// more as processes, which die without harm, then live apps.
  package var summaries: [ToInspector.HostSummary] {
    executables + offers.map(\.summary)
  }

  /// The recorders that run reducers, processes before live apps.
  var offers: [RecorderOffer] {
    let offers = hosts.map { host in
      RecorderOffer(
        recorder: host.recorder,
        summary: ToInspector.HostSummary {
          $0.name = host.name
          $0.place = host.offer.place
          $0.makes = host.offer.makes
          $0.busy = host.isBusy
          $0.app = host.app
        }, run: host.run, keeps: host.offer.keeps)
    }
    return offers.filter { $0.summary.place == .process }
      + offers.filter { $0.summary.place == .live }
  }

  /// Adds what a recorder offers.
  package mutating func add(_ offer: FromRecorder.HostOffer, of recorder: PeerID, run: String?) {
    hosts.append(Host(recorder: recorder, offer: offer, run: run))
  }

  /// A recorder begins a timeline, which tells its app, and what a live one makes beyond what it
  /// knew when it connected; `false` when that changes nothing.
  package mutating func note(_ header: Header, of recorder: PeerID) -> Bool {
    guard let index = hosts.firstIndex(where: { $0.recorder == recorder }) else { return false }
    var host = hosts[index]
    host.app = header.app.name
    host.process = header.app.pid
    if host.offer.place == .live, let make = header.machine.make, !host.offer.makes.contains(make) {
      host.offer.makes.append(make)
    }
    guard host.app != hosts[index].app || host.offer.makes.count != hosts[index].offer.makes.count
    else { return false }
    hosts[index] = host
    return true
  }

  /// A recorder begins or ends to run something; `false` when that changes nothing.
  package mutating func note(isBusy: Bool, of recorder: PeerID) -> Bool {
    guard let index = hosts.firstIndex(where: { $0.recorder == recorder }),
      hosts[index].isBusy != isBusy
    else { return false }
    hosts[index].isBusy = isBusy
    return true
  }

  /// Forgets a recorder; `false` when it offered nothing.
  package mutating func remove(_ recorder: PeerID) -> Bool {
    let count = hosts.count
    hosts.removeAll { $0.recorder == recorder }
    return hosts.count < count
  }

  /// How a machine without a host gets one from a running daemon.
  package static let remedy = remedy("App")

  /// How the machine of an executable gets a host from a running daemon.
  ///
  /// - Parameters:
  ///   - executable: its name; `nil` for a machine that is not known to be in Swift.
  ///   - data: what the command needs to find the daemon.
  package static func remedy(_ executable: String?, _ data: String = "") -> String {
    guard let executable else {
      return """
        To fix, give the daemon the executable that makes it: debugd host PATH\(data) (in Swift, \
        PATH is like .build/debug/App, and its main calls ReducerHost.runIfAsked(…) first), or run \
        the app.
        """
    }
    let command = "debugd host .build/debug/\(executable)" + data
    return """
      To fix, give the daemon the executable that makes it: \(command) (its main \
      calls ReducerHost.runIfAsked(…) first), or run the app.
      """
  }

  /// How the machine of an executable gets a host where there is no daemon.
  static func fileRemedy(_ executable: String?) -> String {
    guard let executable else {
      return """
        To fix, name the executable that makes it: --host PATH (in Swift, PATH is like \
        .build/debug/App, and its main calls ReducerHost.runIfAsked(…) first).
        """
    }
    return """
      To fix, name the executable that makes it: --host .build/debug/\(executable) (its main calls \
      ReducerHost.runIfAsked(…) first).
      """
  }

  /// Why a request that needs a host is not carried out.
  package func refusal(
    of request: FromInspector, start: String = ServerConfiguration.start
  ) -> Refusal {
    let what =
      switch request {
      case .fork: "make branches"
      case .verify: "verify timelines"
      case .compare: "compare timelines"
      case .minimise: "minimize timelines"
      case .compute: "compute states that were not captured"
      default: "do this"
      }
    return Refusal(
      .noHost, "Only a running daemon can \(what). To fix, start it: \(start)")
  }
}
