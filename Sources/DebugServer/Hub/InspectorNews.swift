package import Predicates
package import Timelines
package import Wire

/// What an inspector follows, and the news it has not been sent yet.
///
/// Nothing queues here: for each timeline it only remembers that there is news, so a slow inspector
/// costs no more than a fast one.
package struct InspectorNews: Sendable {
  /// A timeline that it follows.
  package struct Watch: Sendable {
    package var filter: Predicate?
    /// The last reported seq.
    package var reported: Int64
    /// Whether there are newer entries.
    package var isBehind: Bool
    /// The running query, if any.
    package var ticket: Ticket?
    /// When to repeat a query that failed.
    var retry = NewsRetry()

    package init(filter: Predicate?, reported: Int64, isBehind: Bool, ticket: Ticket? = nil) {
      (self.filter, self.reported, self.isBehind, self.ticket) = (
        filter, reported, isBehind, ticket
      )
    }
  }

  package var watches: [TimelineID: Watch] = [:]

  /// Whether the inspector follows the list of timelines.
  package var watchesList = false

  /// Timelines that are new or have changed.
  package var changed: Set<TimelineID> = []

  /// Timelines that were deleted.
  package var gone: Set<TimelineID> = []

  /// Changes of control.
  package var controls: [TimelineID: ToInspector.Control] = [:]

  /// Whether the hosts changed.
  package var hosts = false

  /// Whether sessions came, left, or follow something else.
  package var sessions = false

  /// Notices, the newest last.
  package private(set) var notices: [NoticeMessage] = []

  /// How many older notices were dropped.
  private var droppedNotices = 0

  /// The running query for summaries, if any.
  package var summaries: Ticket?

  /// The timelines of that query.
  var askedSummaries: Set<TimelineID> = []

  /// When to repeat a query for summaries that failed.
  var summariesRetry = NewsRetry()

  /// The earliest time of the next update.
  package var notBefore: Int64 = 0

  /// The maximum number of waiting notices; a person would not read more.
  static let noticeLimit = 8

  package init() {}

  /// Whether there is news that needs no query.
  package var hasMessages: Bool {
    !gone.isEmpty || !controls.isEmpty || !notices.isEmpty || hosts || sessions
  }

  /// Whether there is any news.
  package var isDue: Bool {
    hasMessages || (!changed.isEmpty && summaries == nil)
      || watches.values.contains { $0.isBehind && $0.ticket == nil }
  }

  /// Adds a notice, and drops the oldest if there are too many; the next news report how many.
  package mutating func add(_ notice: NoticeMessage) {
    if notices.count >= Self.noticeLimit {
      notices.removeFirst()
      droppedNotices += 1
    }
    notices.append(notice)
  }

  /// Removes a deleted timeline, and reports that if it was followed.
  package mutating func forget(_ timeline: TimelineID) {
    let wasWatched = watches.removeValue(forKey: timeline) != nil
    changed.remove(timeline)
    controls[timeline] = nil
    if wasWatched || watchesList { gone.insert(timeline) }
  }

  /// Removes and returns the messages that need no query; the hub adds the hosts.
  package mutating func removeMessages() -> [ToInspector] {
    defer {
      gone = []
      controls = [:]
      notices = []
      droppedNotices = 0
    }
    let dropped = droppedNotices > 0 ? [NoticeMessage(ofDropped: droppedNotices)] : []
    return (dropped + notices).map(ToInspector.notice)
      + gone.sorted { $0.text < $1.text }.map { timeline in
        .gone(ToInspector.Gone { $0.timeline = timeline })
      }
      + controls.sorted { $0.key.text < $1.key.text }.map { .control($0.value) }
  }
}

extension NoticeMessage {
  init(ofDropped count: Int) {
    self.init()
    level = .warning
    message =
      count == 1
      ? "1 older message was dropped: this inspector did not read it in time."
      : "\(count) older messages were dropped: this inspector did not read them in time."
  }
}
