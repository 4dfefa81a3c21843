import Testing

@testable import DebugServer
@testable import TimelineStore

@Suite("A database with which the daemon cannot start")
struct DatabaseErrorTests {
  @Test("is named as a database, not as a data directory")
  func newer() {
    let error = ServerError(database: StoreError(.newer(format: 9, known: 2)), at: "host=db")
    #expect(
      error.description == """
        The database has format 9; this build knows formats up to 2. To fix, use a newer build, or \
        another database.
        """)
  }

  @Test("has advice that fits the failure")
  func refused() {
    let fault = DatabaseServerError(doing: "CREATE TABLE", message: "denied", code: "42501")
    #expect(
      ServerError(database: StoreError(.server(fault)), at: "host=db").description == """
        The database cannot be used: CREATE TABLE failed: denied (PostgreSQL 42501). To fix, make \
        the daemon's user the owner of the database and of its tables.
        """)
  }
}
