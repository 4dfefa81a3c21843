package import Timelines

/// What all headers of one timeline have in common, however often it is opened.
///
/// The schema, the lanes, and the app's version may change; another app, machine, or start means
/// another timeline.
package struct HeaderIdentity: Hashable, Sendable {
  private let app: String
  private let type: String
  private let name: String?
  private let started: Timestamp
  private let parent: TimelineID?
  private let start: Int64?

  package init(_ header: Header) {
    let fields = header.fields
    app = fields.app.name
    type = fields.machine.type
    name = fields.machine.name
    started = fields.started
    parent = fields.parent?.timeline
    start = fields.parent?.start
  }

  /// Why another header belongs to another timeline, as text; `nil` if it may replace this one.
  package func difference(from other: HeaderIdentity) -> String? {
    if app != other.app { return "it belongs to the app '\(app)'" }
    if type != other.type { return "its machine is '\(type)'" }
    if name != other.name { return "its machine is called '\(name ?? "")'" }
    if started != other.started { return "it started at \(started)" }
    if parent != other.parent || start != other.start { return "it is a branch of another one" }
    return nil
  }
}
