internal import JSONCore
internal import Predicates
internal import Timelines

/// A condition that entries must meet, in the predicate language of filters.
///
/// ```swift
/// struct Cart: Reducible, Codable {
///   var total = 0
///   enum Event: Codable { case added(cents: Int) }
///   static func reduce(state: Cart, event: Event) -> Cart { state }
/// }
/// func cartStaysPositive() throws {
///   try replay("cart.timeline", as: Cart.self, expecting: .never("state.total < 0"))
/// }
/// ```
public struct ReplayCondition: Hashable, Sendable {
  enum Time: Hashable {
    case always, never, finally
  }

  let time: Time
  let text: String

  /// The predicate holds at no entry, including the first.
  public static func never(_ predicate: String) -> ReplayCondition {
    ReplayCondition(time: .never, text: predicate)
  }

  /// The predicate holds at every entry, including the first.
  public static func always(_ predicate: String) -> ReplayCondition {
    ReplayCondition(time: .always, text: predicate)
  }

  /// The predicate holds at the last entry.
  public static func finally(_ predicate: String) -> ReplayCondition {
    ReplayCondition(time: .finally, text: predicate)
  }
}

/// Checks a condition entry by entry.
struct ConditionCheck {
  private let condition: ReplayCondition
  private let predicate: Predicate
  /// Whether the predicate had an answer at any entry. Without one, the condition cannot fail.
  private(set) var wasDecided = false

  init(_ condition: ReplayCondition) throws {
    self.condition = condition
    do {
      predicate = try Predicate(condition.text)
    } catch {
      throw ConditionError(text: condition.text, error: error)
    }
  }

  var time: ReplayCondition.Time { condition.time }

  /// The lines that explain why the condition is broken; empty if it is met.
  ///
  /// - Parameter moment: An entry with the values around it.
  mutating func problem(at moment: ReplayedMoment) -> [String] {
    let answer = predicate.evaluate(moment)
    if answer != .unknown { wasDecided = true }
    let sentence: String
    switch (time, answer) {
    case (.never, .yes): sentence = "This must never hold, and here it does"
    case (.always, .no): sentence = "This must always hold, and here it does not"
    case (.finally, .no): sentence = "This must hold, and it does not"
    case (.finally, .unknown):
      sentence = "This must hold, but the recording does not have its values"
    case (_, .unknown) where !moment.hidden.isEmpty && moment.before != nil:
      sentence = "This reads a redacted value, so the test cannot check it"
    case (.never, _), (.always, _), (.finally, .yes): return []
    }
    return ["\(sentence): \(condition.text)"] + predicate.readings(at: moment).map(Self.line)
  }

  private static func line(_ reading: Predicate.Reading) -> String {
    guard let value = reading.value else { return "  \(reading.path) is unknown" }
    let now = "  \(reading.path) is \(Difference.text(value))"
    guard let before = reading.before, before != value else { return now }
    return now + ", was \(Difference.text(before))"
  }
}

/// An entry of a replay, with the values around it.
struct ReplayedMoment: PredicateSubject {
  let entry: JSONSlice
  /// The values before the entry; `nil` if unknown.
  let before: Snapshot?
  let after: Snapshot
  /// The paths of redacted values.
  let hidden: [Pointer]

  func values(_ side: EntrySide) -> SideValues {
    switch side {
    case .after: return SideValues(.known(after))
    case .before:
      if let before { return SideValues(.known(before)) }
      return entry["seq"]?.int == 0 ? .none : .unknown
    }
  }

  func hidden(_ side: EntrySide) -> [Pointer] { hidden }
}

/// A condition whose text is not a predicate.
struct ConditionError: Error, CustomStringConvertible {
  let text: String
  let error: PredicateError

  var description: String {
    """
    The condition is not a predicate: \(error.message)
      \(text)
      \(String(repeating: " ", count: max(0, error.column - 1)))^
    """
  }
}
