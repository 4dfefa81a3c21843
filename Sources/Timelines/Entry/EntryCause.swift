/// The entry during which, or by whose effect, an event was sent.
public enum EntryCause: Hashable, Sendable {
  /// An earlier entry of the same timeline.
  case here(Int64)
  /// An entry of another timeline.
  case elsewhere(EntryReference)
}
