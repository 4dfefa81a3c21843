import JSONCore
import Timelines

@testable import TimelineStore

/// What a store has acknowledged, and the other requests.
struct DiskFacts: Sendable {
  /// One timeline.
  struct Known: Sendable {
    let sample: SampleTimeline
    var isOpened = false
    /// The last entry that was acknowledged.
    var durable: Int64 = -1
    /// The name, once it was acknowledged, and what else it may be.
    var names: Set<String?> = [nil]
    /// Acknowledged marks.
    var marks: [Int64: String] = [:]
    /// The loss after the last entry, once it was acknowledged.
    var lostAtEnd: Gap?
    /// Whether its deletion was requested, and acknowledged.
    var isDoomed = false
    var isDeleted = false
    /// Whether retention may have cut its beginning.
    var mayBeCut = false
  }

  var timelines: [Known] = []

  /// The losses that a recovery reported.
  var reported: [String] = []

  /// How a store contradicts these facts; empty when it does not.
  func contradictions(in store: Store, losses: [String] = []) async -> [String] {
    var found: [String] = []
    for known in timelines {
      do {
        found += try await known.contradictions(in: store, losses: DiskLosses(losses, known.sample))
      } catch {
        found.append("\(known.sample.header.timeline): \(error)")
      }
    }
    return found
  }
}

extension DiskFacts.Known {
  fileprivate func contradictions(in store: Store, losses: DiskLosses) async throws -> [String] {
    let id = sample.header.timeline
    let all = try await store.read { try $0.timelines() }
    guard let record = all.first(where: { $0.id == id }) else {
      if isDoomed || !isOpened || losses.ofTimelines { return [] }
      return ["\(id) is gone"]
    }
    if isDeleted { return ["\(id) is back after it was deleted"] }
    var found: [String] = []
    if !names.contains(record.name) {
      found.append("\(id) is called '\(record.name ?? "")' instead of \(names)")
    }
    for (seq, text) in marks where !record.marks.contains(.init(seq: seq, text: text)) {
      if !losses.ofMarks, !losses.ofTimelines, !losses.contains(seq) {
        found.append("\(id): the mark at \(seq) is lost")
      }
    }
    if let lostAtEnd, record.lostAtEnd?.lost ?? 0 < lostAtEnd.lost, !losses.ofTimelines {
      found.append("\(id): the loss at its end is lost")
    }
    return found + (try await entryContradictions(in: store, losses: losses))
  }

  private func entryContradictions(
    in store: Store, losses: DiskLosses
  ) async throws -> [String] {
    let id = sample.header.timeline
    let lines = try await store.lines(of: id)
    let seqs = try lines.map { try Entry(reading: $0).seq }
    var found: [String] = []
    let expected = Dictionary(
      sample.entries.map { ($0.seq, $0.line.text) }, uniquingKeysWith: { first, _ in first })
    // The first entry after a loss says so, and may have lost its state.
    for (seq, line) in zip(seqs, lines) where expected[seq] != line {
      let entry = try Entry(reading: line)
      if entry.gap == nil, !losses.ofStates { found.append("\(id): entry \(seq) is another one") }
    }
    if zip(seqs, seqs.dropFirst()).contains(where: { $0 >= $1 }) {
      found.append("\(id): entries are doubled or out of order")
    }
    let kept = Set(seqs)
    let first = mayBeCut ? seqs.first ?? 0 : 0
    let last = seqs.last ?? -1
    for entry in sample.entries where entry.seq >= first && entry.seq <= durable {
      let isReported = losses.contains(entry.seq) || entry.seq > last && losses.ofEnds
      if !kept.contains(entry.seq), !isReported {
        found.append("\(id): entry \(entry.seq) of \(durable) is lost without a word")
      }
    }
    return found
  }
}

/// What a recovery said was lost of a timeline.
struct DiskLosses {
  private var ranges: [ClosedRange<Int64>] = []
  /// Whether whole timelines may be missing.
  var ofTimelines = false
  /// Whether timelines may have had more at their ends.
  var ofEnds = false
  var ofMarks = false
  var ofStates = false

  init(_ losses: [String], _ sample: SampleTimeline) {
    let id = sample.header.timeline.text
    for loss in losses {
      let numbers = loss.split { !$0.isNumber }.compactMap { Int64($0) }
      if loss.hasPrefix("The entries"), loss.contains(id), numbers.count > 1 {
        ranges.append(numbers[0]...numbers[1])
      }
      ofEnds = ofEnds || loss.contains("at their ends")
      ofTimelines =
        ofTimelines || loss.contains("list of timelines") || loss.hasPrefix("A timeline and")
        || loss.hasPrefix("The timeline \(id) is lost")
      ofMarks = ofMarks || loss.contains("arks of \(id)")
      ofStates = ofStates || loss.hasPrefix("Of \(id)")
    }
  }

  func contains(_ seq: Int64) -> Bool { ranges.contains { $0.contains(seq) } }
}
