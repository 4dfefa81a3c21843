import JSONCore
import Testing
import Timelines

@testable import TimelineStore

@Suite("What the store's errors advise")
struct StoreRemedyTests {
  private static let id =
    TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a") ?? .random()

  @Test(
    "a reason",
    arguments: [
      (
        StoreError.Reason.held(folder: "/data", by: LockHolder(pid: 7, since: "noon")),
        """
        The data in /data is held by process 7 since noon. To fix, use that daemon, or stop it first.
        """
      ),
      (
        .held(folder: "/data", by: nil),
        "The data in /data is held by another process. To fix, stop it first."
      ),
      (.newer(format: 9, known: 8), "To fix, use a newer build, or another data directory."),
      (
        .openFolder("/my data"),
        """
        Other users can write to the data directory /my data. To fix, run: chmod 700 '/my data'
        """
      ),
      (.gone(id), "The timeline \(id) was deleted. To fix, start a new one."),
      (
        .hasBranches(id, branches: ["a", "b"]),
        "To fix, delete the branches first, or pass --cascade to delete them as well."
      ),
      (
        .path(Pointer(tokens: ["event"])),
        "The path '/event' leads nowhere. To fix, begin it with '/state' or '/outputs'."
      ),
      (
        .longPath(Pointer(tokens: ["a"])), "To fix, ask for one of the arrays it leads through."
      ),
    ])
  func reason(_ reason: StoreError.Reason, advice: String) {
    #expect(StoreError(reason).description.hasSuffix(advice), "\(StoreError(reason))")
  }

  @Test(
    "about a damaged database, with the folder that it is in",
    arguments: [
      (11, "/data/timelines.sqlite", " --data /data"),
      (26, "/my data/timelines.sqlite", " --data '/my data'"),
      (267, "/timelines.sqlite", " --data /"),
      (11, nil, ""),
    ] as [(Int32, String?, String)])
  func damage(code: Int32, file: String?, option: String) {
    let fault = DatabaseError(code: code, message: "malformed", doing: "SELECT", file: file)
    let advice = """
      To save what can be read, stop the daemon if it is running, and run: debugd recover\(option)
      """
    for words in [StoreError(fault).description, Store.sentence(for: StoreError(fault))] {
      #expect(
        words == "The database is damaged (SELECT failed: malformed (SQLite \(code))). \(advice)")
    }
  }

  @Test(
    "about a database server, depending on what failed",
    arguments: [
      (nil, "To fix, make this command work for the daemon's user: psql 'host=a b=c'"),
      ("57P03", "To fix, make this command work for the daemon's user: psql 'host=a b=c'"),
      ("42501", "To fix, make the daemon's user the owner of the database and of its tables."),
      ("25006", "To fix, use the address of the server that accepts writes."),
      ("42P07", "To fix, use another, empty database."),
      ("55P03", "To fix, end the other session's transaction, and start the daemon again."),
      ("XX000", "To fix, look into the server's log."),
    ] as [(String?, String)])
  func server(code: String?, advice: String) {
    let fault =
      code.map { DatabaseServerError(doing: "BEGIN", message: "no", code: $0) }
      ?? .disconnected(doing: "connecting", message: "no")
    #expect(fault.remedy(at: "host=a b=c") == advice)
    #expect(
      DatabaseServerError.foreignTables.remedy(at: "x") == "To fix, use another, empty database.")
  }

  @Test("about damaged entries, where the folder is known")
  func damagedEntries() {
    let error = StoreError(.damaged("the entries 3 to 5 cannot be unpacked"))
    #expect(
      error.sentence(about: "/my data") == """
        The data is damaged: the entries 3 to 5 cannot be unpacked. To save what can be read, stop \
        the daemon if it is running, and run: debugd recover --data '/my data'
        """)
    #expect(StoreError(.closed).sentence(about: "/data") == "The store was closed.")
  }

  @Test(
    "why nothing is written",
    arguments: [
      (13, "The disk is full. To fix, free some space; recording then continues automatically."),
      (1_034, ". To fix, check the disk; recording then continues automatically."),
    ] as [(Int32, String)])
  func disk(code: Int32, advice: String) {
    let error = StoreError(DatabaseError(code: code, message: "no", doing: "COMMIT"))
    let words = Store.sentence(for: error)
    #expect(words.hasSuffix(advice), "\(words)")
    #expect(words.contains("The disk failed: ") == (code != 13))
  }
}
