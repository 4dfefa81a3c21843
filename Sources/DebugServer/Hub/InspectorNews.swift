package import Timelines

/// What an inspector follows, and what is to be told to it once it has taken what was told before.
///
/// Nothing queues here: of each timeline it holds at most that there is something to tell, so that an
/// inspector that reads slowly costs no more than one that reads at once.
package struct InspectorNews: Sendable {
  /// A timeline that it follows.
  package struct Watch: Sendable {
    /// Which entries are told.
    package var filter: Predicate?
    /// The last seq that was told.
    package var told: Int64
    /// Whether there is more.
    package var isBehind: Bool
    /// The question on the way, when there is one.
    package var ticket: Ticket?
  }

  /// The timelines that it follows.
  package var watches: [TimelineID: Watch] = [:]

  /// Whether it follows the list of timelines.
  package var watchesList = false

  /// Timelines that are new or have changed.
  package var changed: Set<TimelineID> = []

  /// Timelines that were deleted.
  package var gone: Set<TimelineID> = []

  /// Who is in control now, where that changed.
  package var controls: [TimelineID: ToInspector.Control] = [:]

  /// Whether the hosts changed.
  package var hosts = false

  /// Notices, the latest last.
  package private(set) var notices: [NoticeMessage] = []

  /// The question for summaries on the way, when there is one.
  package var summaries: Ticket?

  /// When the next update may go.
  package var notBefore: Int64 = 0

  /// The notices that wait at once: more than that nobody reads.
  static let noticeLimit = 8

  /// It follows nothing.
  package init() {}

  /// Whether something is to be told that needs no question.
  package var hasMessages: Bool {
    !gone.isEmpty || !controls.isEmpty || !notices.isEmpty || hosts
  }

  /// Whether anything is to be told.
  package var isDue: Bool {
    hasMessages || (!changed.isEmpty && summaries == nil)
      || watches.values.contains { $0.isBehind && $0.ticket == nil }
  }

  /// Adds a notice; the oldest gives way.
  package mutating func note(_ notice: NoticeMessage) {
    if notices.count >= Self.noticeLimit { notices.removeFirst() }
    notices.append(notice)
  }

  /// Forgets a timeline that was deleted, and tells so when it was followed.
  package mutating func forget(_ timeline: TimelineID) {
    let wasWatched = watches.removeValue(forKey: timeline) != nil
    changed.remove(timeline)
    controls[timeline] = nil
    if wasWatched || watchesList { gone.insert(timeline) }
  }

  /// The messages that need no question, which are then told; the hosts are the hub's to list.
  package mutating func takeMessages() -> [ToInspector] {
    defer {
      gone = []
      controls = [:]
      notices = []
    }
    return notices.map(ToInspector.notice)
      + gone.sorted { $0.text < $1.text }.map { timeline in
        .gone(ToInspector.Gone { $0.timeline = timeline })
      }
      + controls.sorted { $0.key.text < $1.key.text }.map { .control($0.value) }
  }
}
