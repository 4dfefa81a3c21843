import JSONCore
import Timelines
import Wire

/// News that have not been read yet, and the reader that waits for them.
///
/// News never count toward the limit that pauses reading: a reader that sends a request between two
/// news would wait for an answer behind a socket that only reading the news resumes. So they have
/// their own bound: of each kind, only the newest is kept for each timeline, and the oldest are
/// dropped if there are too many timelines. The reader gets the number of dropped ones as a notice.
/// The daemon does the same for a slow inspector (see ``InspectorNews``).
struct WaitingNews {
  /// Identifies the older item that an item replaces.
  private enum Key: Hashable {
    case live(TimelineID)
    case timeline(String)
    case gone(TimelineID)
    case control(TimelineID)
    case progress(Int64?)
    case hosts
    case sessions
  }

  /// The maximum number of buffered notices; the oldest is dropped. The daemon buffers as many.
  static let maximumNotices = InspectorNews.noticeLimit

  /// The maximum number of buffered items: a few for each of thousands of timelines.
  static let maximumItems = 16_384

  private var items: [(key: Key?, message: ToInspector)] = []
  private var waiter: CheckedContinuation<ToInspector?, Never>?
  private var isClosed = false
  /// How many items were dropped since the reader last received one.
  private var dropped = 0

  var count: Int { items.count }

  /// Adds an item; `request` is the request whose progress it is.
  mutating func add(_ message: ToInspector, of request: Int64? = nil) {
    guard !isClosed else { return }
    if let waiter {
      self.waiter = nil
      return waiter.resume(returning: message)
    }
    guard let key = Self.key(of: message, request) else { return addNotice(message) }
    let older = items.firstIndex { $0.key == key }
    if case .live = key, let older {
      // Replace it in place: the end of a timeline must not overtake its last entries.
      items[older].message = message
    } else {
      if let older { items.remove(at: older) }
      if items.count >= Self.maximumItems { drop(at: 0) }
      items.append((key, message))
    }
  }

  private mutating func addNotice(_ message: ToInspector) {
    if items.count(where: { $0.key == nil }) >= Self.maximumNotices,
      let oldest = items.firstIndex(where: { $0.key == nil })
    {
      drop(at: oldest)
    }
    items.append((nil, message))
  }

  private mutating func drop(at index: Int) {
    items.remove(at: index)
    dropped += 1
  }

  private static func key(of message: ToInspector, _ request: Int64?) -> Key? {
    switch message {
    case .live(let live): .live(live.timeline)
    case .timeline(let update): .timeline(update.timeline.header["timeline"]?.string ?? "")
    case .gone(let gone): .gone(gone.timeline)
    case .control(let control): .control(control.timeline)
    case .progress: .progress(request)
    case .hosts: .hosts
    case .sessions: .sessions
    case .challenge, .welcome, .timelines, .entries, .state, .raw, .diff, .changes, .find, .column,
      .series, .fork, .done, .import, .export, .verify, .compare, .minimize, .explore, .explain,
      .growth, .invariants, .source, .filters,
      .status,
      .prune,
      .check,
      .invite, .notice, .manifest, .fetch, .offer, .error:
      nil
    }
  }

  /// Resumes a continuation with the oldest item, once there is one; with `nil` at the end.
  mutating func resume(_ continuation: CheckedContinuation<ToInspector?, Never>) {
    if dropped > 0 {
      defer { dropped = 0 }
      continuation.resume(returning: .notice(NoticeMessage(ofDropped: dropped)))
    } else if !items.isEmpty {
      continuation.resume(returning: items.removeFirst().message)
    } else if isClosed {
      continuation.resume(returning: nil)
    } else {
      // Two readers at once are a bug in the caller; the first one gets the end.
      waiter?.resume(returning: nil)
      waiter = continuation
    }
  }

  /// Ends the stream after the buffered items.
  mutating func close() {
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
  }
}
