import Foundation
import JSONCore
import TimelineStore
import Timelines

/// A store with one timeline of payments between accounts, with entries of about 150 bytes. It is the
/// same in every run.
struct StoredPayments {
  let store: Store
  let id: TimelineID
  let count: Int

  /// The number of accounts. A payment changes the balance of one of them.
  static let accountCount = 40

  static let amountLimit = 1_000

  /// The environment variable with a folder in which filled stores are kept for later runs, which
  /// saves time when you measure repeatedly.
  static let keepingVariable = "BENCHMARKS_KEEP"

  /// The timeline in a kept store.
  private static let keptID = "01985b5e-0000-7000-8000-000000000001"
  private static let keptShortID = "01985b5e-0000-7000-8000-000000000002"

  /// Creates a store in a temporary folder, passes it to a closure, and removes it.
  static func with<Value: Sendable>(
    count: Int, options: StoreOptions = StoreOptions(),
    _ body: @escaping @Sendable (StoredPayments) async throws -> Value
  ) throws -> Value {
    let kept = ProcessInfo.processInfo.environment[keepingVariable].map {
      URL(filePath: $0).appending(path: "payments-\(count)")
    }
    let folder =
      kept
      ?? FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: folder) } }
    return try blocking {
      let store = try Store(folder: folder.path, indexer: TimelineIndexer(), options: options)
      let id = kept.flatMap { _ in TimelineID(keptID) } ?? TimelineID.random()
      let payments = StoredPayments(store: store, id: id, count: count)
      if try await !payments.isFilled() { try await payments.fill() }
      let value = try await body(payments)
      await store.close()
      return value
    }
  }

  /// Opens the store of `--huge`, with a long and a shorter timeline, and fills it the first time.
  static func withHuge<Value: Sendable>(
    _ scale: HugeScale, options: StoreOptions = StoreOptions(),
    _ body:
      @escaping @Sendable (_ long: StoredPayments, _ short: StoredPayments) async throws ->
      Value
  ) throws -> Value {
    let folder = try scale.folder()
    return try blocking {
      let store = try Store(folder: folder, indexer: TimelineIndexer(), options: options)
      guard let longID = TimelineID(keptID), let shortID = TimelineID(keptShortID) else {
        throw BenchmarkError("the fixed identifiers are invalid")
      }
      let long = StoredPayments(store: store, id: longID, count: scale.long)
      let short = StoredPayments(store: store, id: shortID, count: scale.short)
      for payments in [long, short] where try await !payments.isFilled() {
        try await payments.fill()
        try await payments.seal()
      }
      let value = try await body(long, short)
      await store.close()
      return value
    }
  }

  /// Ends the timeline, and waits until it is sealed.
  func seal() async throws {
    try await store.end(id)
    while try await store.read({ try $0.tailBytes(of: id) }) > 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Whether an earlier run has recorded the payments.
  private func isFilled() async throws -> Bool {
    let entries = try await store.read { reader in (try? reader.timeline(id))?.entries ?? 0 }
    guard entries == 0 || entries == count else {
      throw BenchmarkError("the kept store is not complete; remove it")
    }
    return entries > 0
  }

  /// Records the payments.
  func fill() async throws {
    var fields = Header.Fields(
      timeline: id, app: Header.App(name: "Payments"),
      machine: Header.Machine(type: "Payments.Bank", name: "bank"),
      started: Timestamp(microseconds: 1_777_000_000_000_000))
    fields.recorder = "benchmark"
    _ = try await store.open(try Header(fields))
    var bank = PaymentsRun()
    var seq = 0
    while seq < count {
      let size = min(1_000, count - seq)
      var entries: [Entry] = []
      entries.reserveCapacity(size)
      for _ in 0..<size { entries.append(try Entry(reading: bank.nextLine())) }
      _ = try await store.append(AppendBatch(id, entries))
      seq += size
    }
    // Searches read sealed and indexed entries.
    while try await store.read({ try $0.tailBytes(of: id) }) > 128 << 10 {
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// Generates the lines of payments.
struct PaymentsRun {
  private var generator = SeededGenerator(seed: 9)
  private var balances: [Int]
  private var seq = 0
  private var t = 0
  private var patchBytes = 0
  private var stateBytes = 0

  /// Creates payments between accounts; a state has about 50 bytes per account.
  init(accounts: Int = StoredPayments.accountCount) {
    balances = [Int](repeating: 1_000, count: accounts)
  }

  mutating func nextLine() -> [UInt8] {
    defer { seq += 1 }
    guard seq > 0 else {
      return Array("{\"seq\":0,\"t\":0,\"state\":\(state())}".utf8)
    }
    t += Int.random(in: 1...400, using: &generator)
    let amount = Int.random(in: 0..<StoredPayments.amountLimit, using: &generator)
    let account = Int.random(in: balances.indices, using: &generator)
    balances[account] += amount - StoredPayments.amountLimit / 2
    var patch = """
      [{"op":"replace","path":"/accounts/\(account)/balance","value":\(balances[account])}]
      """
    // A value that rarely changes, early in the timeline.
    if seq % 100_003 == 7 {
      patch = #"[{"op":"replace","path":"/settings/theme","value":"t\#(seq)"}]"#
    }
    patchBytes += patch.utf8.count
    var line = #"{"seq":\#(seq),"t":\#(t),"event":{"pay":{"amount":\#(amount),"to":\#(account)}}"#
    if patchBytes >= stateBytes { line += ",\"state\":\(state())" }
    line += ",\"patch\":\(patch),\"ns\":\(300 + amount),\"origin\":\"app\"}"
    return Array(line.utf8)
  }

  private mutating func state() -> String {
    let accounts = balances.enumerated().map { index, balance in
      #"{"id":\#(index),"owner":"customer \#(index)","balance":\#(balance)}"#
    }
    let text = #"{"accounts":[\#(accounts.joined(separator: ","))],"settings":{"theme":"t"}}"#
    patchBytes = 0
    stateBytes = text.utf8.count
    return text
  }
}
