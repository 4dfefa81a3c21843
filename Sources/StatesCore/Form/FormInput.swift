/// What a ``StateForm`` handles, as its middleware sees it.
///
/// ```swift
/// func describe(_ input: FormInput<Int, String>) -> String {
///   switch input {
///   case .event(let event, _): event
///   case .change: "a change"
///   case .undo(let to): "undo to \(to ?? 0)"
///   case .redo(let to): "redo to \(to ?? 0)"
///   }
/// }
/// assert(describe(.event("tapped", group: nil)) == "tapped")
/// ```
public enum FormInput<State, Event> {
  /// An event for the reducer; events with the same group are undone together.
  case event(Event, group: UndoGroup?)
  /// A change made by a closure.
  case change((inout State) -> Void, group: UndoGroup?)
  /// An undo; `to` is the number of the step whose state came back, once it is known.
  case undo(to: Int?)
  /// A redo; `to` is the number of the step whose state came back, once it is known.
  case redo(to: Int?)
}

/// Identifies changes that are undone together.
///
/// ```swift
/// func same(_ one: UndoGroup?, _ other: UndoGroup?) -> Bool { one == other }
/// ```
public struct UndoGroup: Hashable, Sendable {
  /// The number of the group within its form.
  public let number: Int
}
