internal import JSONCore
internal import Timelines
internal import Wire

/// Runs a recording again as far as equal bytes prove it, in batches, on several hosts at once.
///
/// Each batch starts from the recorded moment before it, so that none waits for another: when all
/// are confirmed, every entry follows from the recorded one before it. Entries that bytes do not
/// prove are left to the comparison of values.
struct Confirmation: Sendable {
  private let recording: StoredRecording
  private let last: Int64
  private let crews: [[any ReducerHosting]]

  /// Each batch is confirmed by every host of one crew; crews alternate.
  ///
  /// - Parameter last: the last entry to confirm.
  init(_ recording: StoredRecording, through last: Int64, crews: [[any ReducerHosting]]) {
    (self.recording, self.last, self.crews) = (recording, last, crews)
  }

  struct Result: Sendable {
    /// The first entry that was not confirmed.
    var next: Int64
    /// Whether anything before it holds stand-ins.
    var isRedacted = false
    /// Whether all hosts support confirmation; if not, do not ask again.
    var isSupported = true
  }

  /// The number of batches per crew: one is in transit while the host works on another.
  private static let batchesPerCrew = 2

  /// Some hundred entries.
  private static let probeBytes = 64 << 10
  /// The approximate bytes of lines in one message: several milliseconds of work for a host, and
  /// far below the limit of a message.
  private static let batchBytes = 1 << 20

  private struct Batch: Sendable {
    var crew: Int
    var first: Int64
    var count: Int64
    /// What the whole crew confirmed; `nil` if one of them does not support it.
    var confirmed: FromRecorder.Confirmed?
    /// Whether it only reports that the crew has started.
    var isAwake = false
    /// Whether it reports that the crew cannot be started.
    var isMissing = false

    var isWhole: Bool { confirmed?.entries == count }
    var next: Int64 { first + (confirmed?.entries ?? 0) }
  }

  /// Confirms entries from `first` on.
  ///
  /// - Parameter report: called with the number of confirmed entries.
  func run(from first: Int64, _ report: (Int64) async -> Void) async throws -> Result {
    // Start with a short batch, alone: if bytes prove nothing, little is lost.
    guard first <= last,
      let lines = try await recording.lines(in: first...last, bytes: Self.probeBytes)
    else { return Result(next: first) }
    let probe = try await Self.confirm(lines, crew: 0, crews[0])
    guard probe.isWhole else { return Self.result([probe], probe.next) }
    return try await withThrowingTaskGroup(of: Batch.self) { group in
      var free = Array(repeating: 0, count: Self.batchesPerCrew)
      // A crew that has to be started joins when it is ready; the others do not wait for it.
      for (crew, hosts) in crews.enumerated().dropFirst() {
        group.addTask { await Self.wake(crew, hosts, lines) }
      }
      var done = [probe]
      var (seq, count, underWay) = (probe.next, probe.count, 0)
      reading: while seq <= last {
        let lines = try await recording.lines(in: seq...last, bytes: Self.batchBytes)
        guard let lines else { break }
        while free.isEmpty {
          guard let batch = try await group.next() else { break reading }
          if batch.isMissing { continue }
          if batch.isAwake {
            free += Array(repeating: batch.crew, count: Self.batchesPerCrew)
            continue
          }
          underWay -= 1
          done.append(batch)
          guard batch.isWhole else { break reading }
          free.append(batch.crew)
          count += batch.count
          await report(count)
        }
        let crew = free.removeFirst()
        let hosts = crews[crew]
        underWay += 1
        group.addTask { try await Self.confirm(lines, crew: crew, hosts) }
        seq += lines.count
      }
      while underWay > 0, let batch = try await group.next() {
        guard !batch.isAwake, !batch.isMissing else { continue }
        underWay -= 1
        done.append(batch)
      }
      group.cancelAll()
      return Self.result(done, seq)
    }
  }

  /// Starts the hosts of a crew; returns an empty batch when they are ready.
  private static func wake(
    _ crew: Int, _ hosts: [any ReducerHosting], _ lines: StoredRecording.Lines
  ) async -> Batch {
    var nothing = lines
    nothing.request.lines = JSONSlice.emptyArray
    nothing.count = 0
    // A host that cannot be started, or does not support confirmation, never joins.
    var batch =
      (try? await confirm(nothing, crew: crew, hosts))
      ?? Batch(crew: crew, first: lines.request.seq, count: 0)
    batch.isAwake = batch.isWhole
    batch.isMissing = !batch.isWhole
    return batch
  }

  private static func result(_ batches: [Batch], _ end: Int64) -> Result {
    var result = Result(next: end)
    for batch in batches where !batch.isWhole {
      result.next = min(result.next, batch.next)
      result.isSupported = result.isSupported && batch.confirmed != nil
    }
    for batch in batches where batch.first < result.next {
      result.isRedacted = result.isRedacted || batch.confirmed?.redacted == true
    }
    return result
  }

  private static func confirm(
    _ lines: StoredRecording.Lines, crew: Int, _ hosts: [any ReducerHosting]
  ) async throws -> Batch {
    try await withThrowingTaskGroup(of: FromRecorder.Confirmed?.self) { group in
      for host in hosts { group.addTask { try await host.confirm(lines.request) } }
      var batch = Batch(crew: crew, first: lines.request.seq, count: lines.count)
      batch.confirmed = FromRecorder.Confirmed { $0.entries = lines.count }
      for try await confirmed in group {
        guard let confirmed, var least = batch.confirmed else {
          batch.confirmed = nil
          continue
        }
        least.entries = min(least.entries, confirmed.entries)
        least.redacted = least.redacted || confirmed.redacted
        batch.confirmed = least
      }
      return batch
    }
  }
}

extension JSONSlice {
  fileprivate static var emptyArray: JSONSlice {
    let text = Array("[]".utf8)
    return JSONSlice(checkedBefore: text, at: text.indices)
  }
}
