/// Which events are recorded, by name.
///
/// ```swift
/// let filter = EventFilter(deny: ["mouseMoved"])
/// assert(filter.records("tapped") && !filter.records("mouseMoved"))
/// ```
///
/// What is left out is counted, and the next entry says how many there were: its state is recorded
/// in full, because nothing says how it came about.
public struct EventFilter: Hashable, Sendable {
  /// The names that are recorded; nil for all.
  public var allow: Set<String>?
  /// The names that are not, whatever `allow` says.
  public var deny: Set<String>

  /// A filter of these names.
  public init(allow: Set<String>? = nil, deny: Set<String> = []) {
    self.allow = allow
    self.deny = deny
  }

  /// Every event.
  public static let all = EventFilter()

  /// Whether an event of that name is recorded.
  public func records(_ name: String) -> Bool {
    !deny.contains(name) && (allow?.contains(name) ?? true)
  }
}
