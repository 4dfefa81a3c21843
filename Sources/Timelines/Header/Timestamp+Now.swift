#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Timestamp {
  /// The wall-clock time.
  package static var now: Timestamp {
    let microseconds = Date.now.timeIntervalSince1970 * 1_000_000
    return Timestamp(microseconds: Int64(microseconds))
  }
}
