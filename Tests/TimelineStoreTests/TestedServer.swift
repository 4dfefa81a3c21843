import Foundation
import Testing
import Timelines

@testable import PostgresStore
@testable import TimelineStore

/// The PostgreSQL server on which the tests of the store run, if they do not run on SQLite.
///
/// The suite `team` starts one, and names it in the variable `TEAM_DATABASE`. With `TEAM_POOLER`, the
/// stores connect to that address, which is PgBouncer's, and each folder has a database of its own.
struct TestedServer {
  private let address: String
  private let pooler: String?

  static let current: TestedServer? = {
    let environment = ProcessInfo.processInfo.environment
    return environment["TEAM_DATABASE"].map {
      TestedServer(address: $0, pooler: environment["TEAM_POOLER"])
    }
  }()

  /// Whether the stores share connections to the server.
  var isPooled: Bool { pooler != nil }

  /// The rows of a folder's store: each folder has a schema or database of its own.
  func source(for folder: String) throws(StoreError) -> PostgresSource {
    let server = try PostgresConnection(try PostgresAddress(address))
    let name = name(of: folder)
    if isPooled {
      let known = try server.run("SELECT 1 FROM pg_database WHERE datname = $1", .text(name))
      if known.count == 0 { try server.run("CREATE DATABASE \(name)") }
    } else {
      try server.run("CREATE SCHEMA IF NOT EXISTS \(name)")
    }
    return PostgresSource(try address(of: folder))
  }

  /// The address of a folder's rows, with more options for the server.
  func address(of folder: String, more options: String = "") throws(StoreError) -> PostgresAddress {
    let name = name(of: folder)
    if let pooler { return try PostgresAddress("\(pooler) dbname=\(name)") }
    return try PostgresAddress(
      "\(address) application_name=\(name) options='-csearch_path=\(name) \(options)'")
  }

  /// The rows of a folder's store as a database with a lease.
  func database(for folder: String) throws(StoreError) -> PostgresDatabase {
    PostgresDatabase(try source(for: folder).address)
  }

  /// A connection to a folder's rows.
  func connection(to folder: String) throws(StoreError) -> PostgresConnection {
    try PostgresConnection(try address(of: folder))
  }

  /// Ends all connections to a folder's rows, as a server does that is shut down.
  func endConnections(of folder: String) throws(StoreError) {
    try PostgresConnection(try PostgresAddress(address)).run(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE (application_name = $1 OR datname = $1) AND pid <> pg_backend_pid()
      """, .text(name(of: folder)))
  }

  private func name(of folder: String) -> String {
    "s" + SHA256.hexadecimal(SHA256.hash(folder.utf8)).prefix(24)
  }
}

extension Trait where Self == ConditionTrait {
  /// The test is about SQLite, such as its file, and not about every driver.
  static var onSQLite: Self {
    .enabled(if: TestedServer.current == nil, "it is about SQLite")
  }

  /// The test needs a PostgreSQL server, which the suite `team` starts.
  static var onPostgres: Self {
    .enabled(if: TestedServer.current != nil, "the suite `team` starts a server")
  }
}
