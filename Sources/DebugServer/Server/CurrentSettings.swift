internal import Synchronization
internal import TimelineStore

/// The current configuration: some of it can change while the daemon runs.
final class CurrentSettings: Sendable {
  private let state: Mutex<ServerConfiguration>

  init(_ configuration: ServerConfiguration) {
    state = Mutex(configuration)
  }

  var configuration: ServerConfiguration { state.withLock { $0 } }

  /// Adopts what can change while the daemon runs; reports that, and what needs a restart.
  func adopt(_ new: ServerConfiguration) -> ReloadReport {
    state.withLock { old in
      var report = ReloadReport()
      let taken = [
        ("the page's folder", old.web != new.web), ("retention", old.retention != new.retention),
        ("names", old.names != new.names), ("origins", old.origins != new.origins),
      ]
      let waiting = [
        ("the data directory", old.data != new.data),
        ("the database", old.database?.address != new.database?.address),
        ("the socket", old.socket != new.socket),
        ("standby", old.isStandby != new.isStandby),
        ("the addresses", old.places != new.places),
        ("the address of the metrics", old.metrics != new.metrics),
        ("other files of certificate and key", old.identity != new.identity),
        ("insecure", old.isInsecureAllowed != new.isInsecureAllowed),
        ("hosts", old.hosts != new.hosts),
        ("sources and editor", old.sources != new.sources),
      ]
      report.taken = taken.filter(\.1).map(\.0)
      report.waiting = waiting.filter(\.1).map(\.0)
      (old.web, old.retention) = (new.web, new.retention)
      (old.names, old.origins) = (new.names, new.origins)
      return report
    }
  }
}

/// The result of reloading the configuration.
package struct ReloadReport: Hashable, Sendable {
  /// What changed and is in force now.
  package fileprivate(set) var taken: [String] = []

  /// What changed and needs a restart.
  package fileprivate(set) var waiting: [String] = []

  /// The report for people.
  package var sentence: String {
    var sentences = ["The configuration was read again."]
    if taken.isEmpty, waiting.isEmpty { sentences.append("Nothing in it changed.") }
    if !taken.isEmpty { sentences.append("In force now: \(taken.joined(separator: ", ")).") }
    if !waiting.isEmpty {
      sentences.append("Waiting for a restart: \(waiting.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }

  /// Adds something that changed and is in force now.
  mutating func add(_ what: String) { taken.append(what) }
}
