internal import TimelineStore

extension ServerConfiguration {
  /// Sets the retention limits; `nil` means no limit. Marked timelines are always kept.
  package mutating func keep(bytes: Int64?, seconds: Int64?, perApp: Int?) {
    retention = Retention(bytes: bytes, seconds: seconds, perApp: perApp)
  }
}
