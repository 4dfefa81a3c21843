internal import TimelineStore

extension ServerConfiguration {
  /// Says how much is kept; what is nil has no limit. Marked timelines are kept in any case.
  package mutating func keep(bytes: Int64?, seconds: Int64?, perApp: Int?) {
    retention = Retention(bytes: bytes, seconds: seconds, perApp: perApp)
  }
}
