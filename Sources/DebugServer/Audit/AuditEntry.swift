internal import JSONCore
package import Timelines

/// Something that a session did, and about which others may ask later. It has no recorded values.
package struct AuditEntry: Hashable, Sendable {
  /// What was done, for programs: `timeline.deleted`.
  package var event: String
  /// The id of the session; `local` for a command of the daemon's own user.
  package var session: String
  /// What the client calls itself.
  package var client: String
  /// The timeline with which it was done.
  package var timeline: TimelineID?
  /// The id of the session that was ended, or of the key that was issued.
  package var other: String?
  /// How many entries before it were left out, because there were too many in a minute.
  package var omitted = 0

  package init(
    _ event: String, session: String, client: String, timeline: TimelineID? = nil,
    other: String? = nil
  ) {
    (self.event, self.session, self.client) = (event, session, client)
    (self.timeline, self.other) = (timeline, other)
  }

  /// A line of JSON with its line feed.
  package func line(at time: Timestamp) -> String {
    var object = JSON.Object()
    object["time"] = .string(time.text)
    object["event"] = .string(event)
    object["session"] = .string(session)
    object["client"] = .string(PlainText.escaping(client))
    if let timeline { object["timeline"] = .string(timeline.text) }
    if let other { object["other"] = .string(other) }
    if omitted > 0 { object["omitted"] = .number(JSON.Number(Int64(omitted))) }
    return JSON.object(object).description + "\n"
  }
}
