import JSONCore
import Timelines

extension Entry {
  /// The event, where equal patches after it prove that the state is the same: nothing was lost or
  /// given from outside, the state was captured, and the app lived on.
  var confirmableEvent: JSONSlice? {
    guard let event, patch != nil, !isFixedPoint, gap == nil, error != "trapped" else { return nil }
    return event
  }

  /// Whether it says the same in the same bytes.
  func confirms(
    patch: ArraySlice<UInt8>?, outputs: ArraySlice<UInt8>?, error: String?
  ) -> Bool {
    self.patch?.bytes == patch && self.outputs?.bytes == outputs && self.error == error
  }
}
