/// Whether a store writes.
package enum StoreState: Hashable, Sendable {
  case open
  /// It does not, for the given reason; submissions wait without acknowledgment. It retries
  /// automatically.
  case refusing(String)
  case closed
}
