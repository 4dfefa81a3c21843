import JSONCore
import Timelines

/// The news that nobody has taken yet, and the one who waits for them.
///
/// News never count towards what pauses reading: a reader that asks something between two news would
/// wait for an answer behind a socket that only reading the news resumes. So they have to be bounded
/// by themselves, and of each kind only the newest waits for each timeline. The daemon does the same
/// for an inspector that reads slowly (see ``InspectorNews``).
struct WaitingNews {
  /// What an item replaces: an older one with the same key.
  private enum Key: Hashable {
    case live(TimelineID)
    case timeline(String)
    case gone(TimelineID)
    case control(TimelineID)
    case progress(Int64?)
    case hosts
  }

  /// The notices that wait at most; the oldest is dropped. The daemon keeps as many.
  static let maximumNotices = InspectorNews.noticeLimit

  private var items: [(key: Key?, message: ToInspector)] = []
  private var waiter: CheckedContinuation<ToInspector?, Never>?
  private var isClosed = false

  /// How many wait.
  var count: Int { items.count }

  /// Adds one; `request` is whose progress it is.
  mutating func add(_ message: ToInspector, of request: Int64? = nil) {
    guard !isClosed else { return }
    if let waiter {
      self.waiter = nil
      return waiter.resume(returning: message)
    }
    guard let key = Self.key(of: message, request) else { return addNotice(message) }
    let older = items.firstIndex { $0.key == key }
    if case .live = key, let older {
      // In the older one's place: what ends the timeline must not overtake its last entries.
      items[older].message = message
    } else {
      if let older { items.remove(at: older) }
      items.append((key, message))
    }
  }

  private mutating func addNotice(_ message: ToInspector) {
    if items.count(where: { $0.key == nil }) >= Self.maximumNotices,
      let oldest = items.firstIndex(where: { $0.key == nil })
    {
      items.remove(at: oldest)
    }
    items.append((nil, message))
  }

  private static func key(of message: ToInspector, _ request: Int64?) -> Key? {
    switch message {
    case .live(let live): .live(live.timeline)
    case .timeline(let told): .timeline(told.timeline.header["timeline"]?.string ?? "")
    case .gone(let gone): .gone(gone.timeline)
    case .control(let control): .control(control.timeline)
    case .progress: .progress(request)
    case .hosts: .hosts
    default: nil
    }
  }

  /// Resumes a continuation with the oldest one, once there is one; with `nil` at the end.
  mutating func take(_ continuation: CheckedContinuation<ToInspector?, Never>) {
    if !items.isEmpty {
      continuation.resume(returning: items.removeFirst().message)
    } else if isClosed {
      continuation.resume(returning: nil)
    } else {
      // Two readers at once are the caller's mistake; the first one gets the end.
      waiter?.resume(returning: nil)
      waiter = continuation
    }
  }

  /// Ends it after what waits.
  mutating func close() {
    isClosed = true
    waiter?.resume(returning: nil)
    waiter = nil
  }
}
