public import JSONCore

/// One change to the events of a timeline.
///
/// Every seq is one of the parent, whatever earlier edits changed.
public enum Edit: Sendable {
  /// Removes entries: `{"drop":5}`, `{"drop":[5,9]}`.
  case drop(ClosedRange<Int64>)
  /// Gives an entry another event: `{"replace":5,"event":…}`.
  case replace(Int64, event: JSONSlice)
  /// Puts a new event right before an entry: `{"insert":…,"before":5}`.
  case insert(event: JSONSlice, before: Int64)
  /// Puts an entry right before another one: `{"move":5,"before":2}`.
  case move(Int64, before: Int64)
  /// Puts a new event at the end: `{"append":…}`.
  case append(event: JSONSlice)
  /// Removes everything after an entry: `{"cut":5}`.
  case cut(Int64)
  /// Starts with another state: `{"start":…}`.
  case start(state: JSONSlice)
  /// Starts with the parent's state at an entry, and continues with the entries after it:
  /// `{"start":{"seq":5}}`.
  case startAt(Int64)
}

extension Edit {
  /// Removes one entry.
  public static func drop(_ seq: Int64) -> Edit { .drop(seq...seq) }
}

extension Edit: Equatable {
  /// Whether both make the same change. Events and states are compared as values.
  public static func == (left: Edit, right: Edit) -> Bool {
    switch (left, right) {
    case (.drop(let left), .drop(let right)): left == right
    case (.replace(let left, let leftEvent), .replace(let right, let rightEvent)),
      (.insert(let leftEvent, let left), .insert(let rightEvent, let right)):
      left == right && leftEvent.value == rightEvent.value
    case (.move(let left, let leftTarget), .move(let right, let rightTarget)):
      left == right && leftTarget == rightTarget
    case (.append(let left), .append(let right)), (.start(let left), .start(let right)):
      left.value == right.value
    case (.cut(let left), .cut(let right)), (.startAt(let left), .startAt(let right)):
      left == right
    default: false
    }
  }
}
