/// Whether a store writes.
package enum StoreState: Hashable, Sendable {
  /// It does.
  case open
  /// It does not, for the reason given; what arrives waits and is not acknowledged. It tries again
  /// by itself.
  case refusing(String)
  /// It was closed.
  case closed
}
