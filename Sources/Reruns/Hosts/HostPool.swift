package import Timelines
package import Wire

/// What can run reducers, as it is reported to inspectors: executables, and recorders that offered
/// it.
package struct HostPool: Sendable {
  private struct Host: Sendable {
    var recorder: PeerID
    var offer: FromRecorder.HostOffer
    var run: String?
    var app: String?
    var version: String?
    var process: Int64?
    var isBusy = false

    /// The name to show: the app and its process, as far as they are known.
    var name: String {
      // The process id distinguishes several runs for people.
      let place = process.map { "\($0)" } ?? run
      if let app { return place.map { "\(app)-\($0)" } ?? app }
      return run ?? "recorder \(recorder.number)"
    }
  }

  private var hosts: [Host] = []

  /// The summaries of the configured executables.
  package var executables: [ToInspector.HostSummary] = []

  package init() {}

  /// The summaries of the hosts, in the order of preference: executables, then separate processes
  /// of apps, which can crash without harm, then live apps.
  package var summaries: [ToInspector.HostSummary] {
    executables + offers.map(\.summary)
  }

  /// The recorders that run reducers, processes before live apps.
  package var offers: [RecorderOffer] {
    let offers = hosts.map { host in
      RecorderOffer(
        recorder: host.recorder,
        summary: ToInspector.HostSummary {
          $0.name = host.name
          $0.place = host.offer.place
          $0.makes = host.offer.makes
          $0.busy = host.isBusy
          $0.app = host.app
          $0.version = host.version
        }, run: host.run, keeps: host.offer.keeps)
    }
    return offers.filter { $0.summary.place == .process }
      + offers.filter { $0.summary.place == .live }
  }

  package mutating func add(_ offer: FromRecorder.HostOffer, of recorder: PeerID, run: String?) {
    hosts.append(Host(recorder: recorder, offer: offer, run: run))
  }

  /// Records that a recorder opened a timeline, which names its app and, for a live one, a machine
  /// that it did not know when it connected. Returns false if nothing changed.
  package mutating func update(_ header: Header, of recorder: PeerID) -> Bool {
    guard let index = hosts.firstIndex(where: { $0.recorder == recorder }) else { return false }
    var host = hosts[index]
    host.app = header.app.name
    host.version = header.app.version
    host.process = header.app.pid
    if host.offer.place == .live, let make = header.machine.make, !host.offer.makes.contains(make) {
      host.offer.makes.append(make)
    }
    guard host.app != hosts[index].app || host.offer.makes.count != hosts[index].offer.makes.count
    else { return false }
    hosts[index] = host
    return true
  }

  /// Records that a recorder started or finished a request. Returns false if nothing changed.
  package mutating func update(isBusy: Bool, of recorder: PeerID) -> Bool {
    guard let index = hosts.firstIndex(where: { $0.recorder == recorder }),
      hosts[index].isBusy != isBusy
    else { return false }
    hosts[index].isBusy = isBusy
    return true
  }

  /// Removes a recorder; returns false if it offered nothing.
  package mutating func remove(_ recorder: PeerID) -> Bool {
    let count = hosts.count
    hosts.removeAll { $0.recorder == recorder }
    return hosts.count < count
  }

  /// How to give a running daemon a host for a machine.
  package static let remedy = remedy("App")

  /// How to give a running daemon a host for the machine of an executable.
  ///
  /// - Parameters:
  ///   - executable: its name; `nil` for a machine that is not known to be in Swift.
  ///   - data: the option with which the command finds the daemon.
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

  /// How to give a machine that tests recorded a host.
  static func testsRemedy(hasDaemon: Bool, _ data: String = "") -> String {
    let command =
      hasDaemon ? "debugd host .build/debug/App" + data : "--host .build/debug/App"
    return """
      Tests made this recording, and they cannot be a host. To fix, name another executable of the \
      package that makes it, such as your app: \(command) (its main calls ReducerHost.runIfAsked(…) \
      first).
      """
  }

  /// How to give the machine of an executable a host where there is no daemon.
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
}
