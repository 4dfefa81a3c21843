import Timelines

/// The places for open timelines on a connection: which timelines have one, and which are waiting.
///
/// A timeline keeps its place until the daemon has confirmed the `close`.
struct OutboxPlaces: Sendable {
  /// How many timelines may be open.
  let maximum: Int
  /// Whether the daemon confirms each `open` and `close`, so that timelines can be parked.
  let isParkingPossible: Bool
  private let maximumHeaderBytes: Int

  /// The bytes of the headers of the timelines with a place.
  private var assigned: [TimelineID: Int] = [:]
  private var headerBytes = 0

  /// Timelines with something to send, or with a command to answer.
  var urgent = TimelineQueue()
  /// Timelines that only need to be known to the daemon.
  var others = TimelineQueue()

  /// Timelines that are about to be parked.
  var leaving = TimelineQueue()
  /// Timelines whose `close` the daemon has not confirmed.
  var closing: Set<TimelineID> = []
  /// When to look again for timelines to park.
  private(set) var nextLook: Duration = .zero
  private var lastLook: Duration = .zero
  private var lookInterval = Self.shortestLookInterval
  /// Before this time no timeline can be parked, even if everything is acknowledged.
  private var parkableFrom: Duration = .zero
  /// Whether timelines may be parked although they were used a moment ago, because the program waits
  /// until everything is stored.
  var isHurried = false

  /// Places on a connection. Without a number the daemon neither limits nor confirms.
  init(_ maximum: Int64?, limits: OutboxLimits) {
    isParkingPossible = maximum != nil
    self.maximum = maximum.map { min(Int(clamping: $0), limits.openTimelines) } ?? .max
    maximumHeaderBytes = maximum == nil ? .max : limits.openHeaderBytes
  }

  /// The shortest time between two looks at all timelines.
  private static let shortestLookInterval = Duration.milliseconds(5)

  /// Records a look at all timelines.
  ///
  /// - Parameters:
  ///   - parkableFrom: when a timeline can be parked at the earliest.
  ///   - overdue: when busy timelines must make room, unless that has begun.
  mutating func looked(
    at time: Duration, found: Bool, parkableFrom: Duration, overdue: Duration?, limits: OutboxLimits
  ) {
    lastLook = time
    if found { lookInterval = Self.shortestLookInterval }
    self.parkableFrom = parkableFrom
    var next = time + lookInterval
    if let overdue, overdue > time { next = min(next, overdue) }
    nextLook = max(next, parkableFrom, time + Self.shortestLookInterval)
    // Nothing can be parked before something is acknowledged, so looking often would find nothing.
    lookInterval = min(lookInterval * 2, limits.placeTime)
  }

  /// Looks again soon, because something was acknowledged.
  mutating func lookSoon() {
    lookInterval = Self.shortestLookInterval
    nextLook = min(nextLook, max(lastLook + lookInterval, parkableFrom))
  }

  /// Looks again now, because conditions for parking have changed.
  mutating func hurry() {
    isHurried = true
    lookInterval = Self.shortestLookInterval
    nextLook = .zero
  }

  /// Whether a timeline waits for a place.
  var isAnyWaiting: Bool { !urgent.isEmpty || !others.isEmpty }

  /// The number of timelines with a place.
  var count: Int { assigned.count }

  func has(_ id: TimelineID) -> Bool { assigned[id] != nil }

  /// Whether another timeline may be opened.
  func isFree(forHeader bytes: Int) -> Bool {
    assigned.isEmpty || assigned.count < maximum && headerBytes + bytes <= maximumHeaderBytes
  }

  mutating func assign(_ id: TimelineID, headerBytes bytes: Int) {
    headerBytes += bytes - (assigned[id] ?? 0)
    assigned[id] = bytes
  }

  mutating func free(_ id: TimelineID) {
    headerBytes -= assigned.removeValue(forKey: id) ?? 0
    closing.remove(id)
  }
}
