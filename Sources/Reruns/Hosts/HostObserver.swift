package import Wire

/// Receives what happens to hosts, such as a log.
package protocol HostObserver: Sendable {
  func started(_ host: ToInspector.HostSummary)

  /// A host cannot be started, or has ended.
  func failed(_ host: ToInspector.HostSummary, problem: String)

  /// A host wrote a line to its standard error.
  func wrote(_ line: String, host: String)

  /// Called regularly; reports what was only counted so far.
  func flush()
}

package struct SilentHostObserver: HostObserver {
  package init() {}

  package func started(_ host: ToInspector.HostSummary) {}

  package func failed(_ host: ToInspector.HostSummary, problem: String) {}

  package func wrote(_ line: String, host: String) {}

  package func flush() {}
}
