/// A connection, by a unique number.
package struct PeerID: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }

  package static func < (left: PeerID, right: PeerID) -> Bool { left.number < right.number }
}
