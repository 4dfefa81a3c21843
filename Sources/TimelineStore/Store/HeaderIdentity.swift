package import Timelines

/// What every header of one timeline says alike, however often it is opened.
///
/// Another schema, other lanes or a newer version of the app may come; another app, machine or start
/// is another timeline.
package struct HeaderIdentity: Hashable, Sendable {
  private let app: String
  private let type: String
  private let name: String?
  private let started: Timestamp
  private let parent: TimelineID?
  private let start: Int64?

  /// What a header says.
  package init(_ header: Header) {
    let fields = header.fields
    app = fields.app.name
    type = fields.machine.type
    name = fields.machine.name
    started = fields.started
    parent = fields.parent?.timeline
    start = fields.parent?.start
  }

  /// What makes another header one of another timeline, in words; `nil` when it may replace this one.
  package func difference(from other: HeaderIdentity) -> String? {
    if app != other.app { return "it belongs to the app '\(app)'" }
    if type != other.type { return "its machine is '\(type)'" }
    if name != other.name { return "its machine is called '\(name ?? "")'" }
    if started != other.started { return "it started at \(started)" }
    if parent != other.parent || start != other.start { return "it is a branch of another one" }
    return nil
  }
}
