import JSONCore

/// The keys of an entry, in the order in which they are written.
///
/// The comments become the table of `docs/protocol.md`.
enum EntryKey: Int, CaseIterable {
  /// Strictly increasing from 0, assigned by the recorder; it alone defines the order. It skips
  /// numbers only at a `gap`.
  case seq
  /// Microseconds since the timeline's start, never decreasing.
  case t
  /// The event; absent in entry 0, and with `restored` or `jump`.
  case event
  /// The full state after the event, which makes the entry a **keyframe**.
  case state
  /// The full outputs after the event: an object with the outputs by name.
  case outputState
  /// The change from the preceding entry's state, with `add`, `remove`, and `replace` only. `[]`
  /// means that nothing changed.
  case patch
  /// The change from the preceding entry's outputs, likewise. If an entry with `patch` lacks it, no
  /// output changed.
  case outputs
  /// Nanoseconds inside the reducer.
  case ns
  /// The entry during which, or by whose effect, the event was sent: a seq, or
  /// `"<timeline>:<seq>"`.
  case cause
  /// Where the event came from: `app`, `loop:<name>`, `timer`, or `inspector`.
  case origin
  /// The call site, `file:line`.
  case at
  /// The loss before this entry, whose seq is that of its predecessor + `lost` + 1. The reason,
  /// `why`, is a text.
  case gap
  /// The moment whose state replaced the live one; the entry is a keyframe.
  case restored
  /// Whether a wrapped reducer was called with a state that it had not returned; the entry is a
  /// keyframe.
  case jump
  /// What the reducer or a hook threw, or `trapped`.
  case error
  /// On a branch: the entry of the parent that this one recomputes.
  case was
  /// The pointers to stand-ins, which have the type of the real value, with a hash of that value or
  /// `""`: `{"/state/token":"9f2c"}`. A pointer begins with `/event`, `/state`, `/outputs`, or
  /// `/error`. For state and outputs, the list is complete after each entry, even if its line does
  /// not contain the value, so readers need not follow pointers through patches, which move
  /// indices.
  case redacted
  /// The bytes of a state that was too large to send; the entry is thinned.
  case omitted

  /// The key as it is written.
  var text: String { Self.texts[rawValue] }

  /// The index of its value in an entry's vectors of 16; `seq` and `t` have none, because they are
  /// always present.
  var place: Int? { rawValue < 2 ? nil : rawValue - 2 }

  private static let texts = allCases.map { "\($0)" }
}
