import JSONCore
import Timelines

extension Entry {
  /// The event, if an equal patch proves that the state is the same: nothing was lost or came from
  /// outside, the state was captured, and the app did not trap.
  var confirmableEvent: JSONSlice? {
    guard let event, patch != nil, !isFixedPoint, gap == nil, error != "trapped" else { return nil }
    return event
  }

  /// Whether the entry has the same changes, byte for byte.
  func confirms(
    patch: ArraySlice<UInt8>?, outputs: ArraySlice<UInt8>?, error: String?
  ) -> Bool {
    self.patch?.bytes == patch && self.outputs?.bytes == outputs && self.error == error
  }
}
