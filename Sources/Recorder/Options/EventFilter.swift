/// Which events are recorded, by name.
///
/// ```swift
/// let filter = EventFilter(deny: ["mouseMoved"])
/// assert(filter.records("tapped") && !filter.records("mouseMoved"))
/// ```
///
/// Excluded events are counted, and the next entry says how many there were. It carries the full
/// state, because the events that led to it are missing.
public struct EventFilter: Hashable, Sendable {
  /// The names to record; nil for all.
  public var allow: Set<String>?
  /// The names to exclude, even if `allow` contains them.
  public var deny: Set<String>

  /// Creates a filter.
  public init(allow: Set<String>? = nil, deny: Set<String> = []) {
    self.allow = allow
    self.deny = deny
  }

  /// A filter that records every event.
  public static let all = EventFilter()

  /// Whether an event of that name is recorded.
  public func records(_ name: String) -> Bool {
    !deny.contains(name) && (allow?.contains(name) ?? true)
  }
}
