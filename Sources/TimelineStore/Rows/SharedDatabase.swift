/// A database that several machines reach. One daemon at a time may write it.
package protocol SharedDatabase: Sendable {
  /// The address, without a password.
  var address: String { get }

  /// Acquires the lease of the database, after creating missing tables.
  ///
  /// A holder takes over its own lease at any time, and any other one once it has expired. Throws
  /// ``StoreError/Reason/leased(by:until:)`` while another holder's lease is alive.
  func acquireLease(as holder: LeaseHolder) throws(StoreError) -> any DatabaseLease
}

/// The right to write a database until a time on the database's clock.
///
/// Every transaction of ``source`` that stores something proves that the lease was not taken over.
package protocol DatabaseLease: Sendable {
  /// The rows.
  var source: any RowSource { get }

  /// How long the lease is valid after it was acquired or renewed.
  var milliseconds: Int { get }

  /// Extends the lease, also after it has expired, and reads how durable a commit is. Throws
  /// ``DatabaseServerError/leaseLost`` if another holder has taken it over.
  func renew() throws(StoreError) -> Durability

  /// Ends the lease, so that another holder need not wait for its end.
  func release()
}

/// The daemon that has the lease of a database.
package struct LeaseHolder: Hashable, Sendable {
  /// The name of its machine, for messages.
  package var host: String

  /// An id that only one process at a time uses: that of a locked data folder.
  package var instance: String

  /// How long the lease is valid unless it is renewed.
  package var milliseconds: Int

  package init(host: String, instance: String, milliseconds: Int = Self.usualMilliseconds) {
    (self.host, self.instance, self.milliseconds) = (host, instance, milliseconds)
  }

  /// Long enough for a database to be restarted, and short enough to wait for after a crash.
  package static let usualMilliseconds = 30_000

  /// For a daemon that a standby replaces. A daemon whose lease has expired keeps it unless another
  /// one takes it, so a short one has a cost only where another one waits.
  package static let replaceableMilliseconds = 6_000
}

/// Where an entry is when a commit has returned.
package enum Durability: Hashable, Sendable {
  /// On the machine of the database.
  case oneMachine
  /// Also on a standby, for which each commit waits.
  case twoMachines

  /// The number of machines, at least.
  package var machines: Int64 {
    switch self {
    case .oneMachine: 1
    case .twoMachines: 2
    }
  }
}
