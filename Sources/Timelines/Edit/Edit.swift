public import JSONCore

/// One change to the past of a timeline.
///
/// Every seq is the parent's, whatever the edits before did.
public enum Edit: Sendable {
  /// Leaves these entries out: `{"drop":5}`, `{"drop":[5,9]}`.
  case drop(ClosedRange<Int64>)
  /// Gives an entry another event: `{"replace":5,"event":…}`.
  case replace(Int64, event: JSONSlice)
  /// Puts a new event right before an entry: `{"insert":…,"before":5}`.
  case insert(event: JSONSlice, before: Int64)
  /// Puts an entry right before another one: `{"move":5,"before":2}`.
  case move(Int64, before: Int64)
  /// Puts a new event at the end: `{"append":…}`.
  case append(event: JSONSlice)
  /// Leaves out all that follows an entry: `{"cut":5}`.
  case cut(Int64)
  /// Begins with that state instead of the first one: `{"start":…}`.
  case start(state: JSONSlice)
  /// Begins with the parent's state at an entry, and goes on with what follows it:
  /// `{"start":{"seq":5}}`.
  case startAt(Int64)
}

extension Edit {
  /// Leaves one entry out.
  public static func drop(_ seq: Int64) -> Edit { .drop(seq...seq) }
}

extension Edit: Equatable {
  /// Whether both do the same; events and states are compared as values.
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
