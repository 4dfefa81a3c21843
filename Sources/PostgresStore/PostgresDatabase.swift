package import TimelineStore

/// A PostgreSQL database that one daemon at a time serves.
package struct PostgresDatabase: SharedDatabase {
  private let place: PostgresAddress

  /// Refuses a text that is not an address, or that has a password. The error repeats no part of it.
  package init(_ address: String) throws(StoreError) {
    place = try PostgresAddress(address)
  }

  init(_ place: PostgresAddress) {
    self.place = place
  }

  package var address: String { place.text }

  package func acquireLease(as holder: LeaseHolder) throws(StoreError) -> any DatabaseLease {
    try PostgresLease(place, holder)
  }
}
