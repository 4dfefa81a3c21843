package import JSONCore
package import Predicates
package import Timelines

extension FromInspector {
  /// Makes a branch.
  ///
  /// Refused with `no-host` if no host can make the machine, and with `wrong-value` if the host
  /// cannot decode the event or state that the branch begins with and that the edits contain. Then
  /// nothing remains of the branch.
  package struct Fork: Message {
    package static let type = "fork"
    package static let role = MessageRole.request
    /// The parent.
    package var timeline = TimelineID.zero
    /// The parent's last entry to use; absent for the last durable one.
    package var through: Int64?
    /// The edit script.
    package var edits = JSONSlice.null
    /// The branch's name.
    package var name: String?
    /// The failure that the branch has the fewest events for, if it repeats a minimized branch;
    /// kept as `parent.failure` in the header.
    package var failure: Predicate?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("through", &through)
      try fields.field("edits", &edits)
      try fields.field("name", &name)
      try fields.field("failure", &failure)
    }
  }

  /// Names a timeline.
  package struct Rename: Message {
    package static let type = "rename"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The name; empty to remove it.
    package var name = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("name", &name)
    }
  }

  /// Deletes a timeline.
  package struct Delete: Message {
    package static let type = "delete"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// Whether to delete its branches, too; without it, a timeline with branches is refused.
    package var cascade = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.flag("cascade", &cascade)
    }
  }

  /// Marks an entry, or removes the mark.
  package struct Mark: Message {
    package static let type = "mark"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The entry.
    package var seq: Int64 = 0
    /// The mark's text; absent to remove the mark.
    package var text: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("seq", &seq)
      try fields.field("text", &text)
    }
  }
}
