import PostgresStore
import TimelineStore

extension ServeSettings {
  /// The database in place of a file in the data folder. Its address may have a password, so messages
  /// do not repeat it.
  func database() throws -> PostgresDatabase? {
    guard let address = arguments.value("store") else { return nil }
    do throws(StoreError) {
      return try PostgresDatabase(address)
    } catch {
      guard case .server(let fault) = error.reason else { throw error }
      throw arguments.error("--store cannot be used: \(fault.message).")
    }
  }

  /// Whether to wait while another daemon serves the database.
  func isStandby() throws -> Bool {
    guard arguments.has("standby") else { return false }
    guard arguments.has("store") else {
      throw arguments.error("--standby needs the database that it waits for: --store ADDRESS.")
    }
    return true
  }
}
