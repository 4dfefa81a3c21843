internal import JSONCore
internal import Mining
internal import Predicates
internal import Timelines
internal import Wire

/// Finds invariants of recordings: a miner proposes them from some entries, and the search tries each
/// at every entry.
struct InvariantSearch {
  /// A recording, and the entries that it has.
  struct Recording {
    var timeline: TimelineID
    var seqs: ClosedRange<Int64>
    /// How many entries it has; lost ones are in the range, but not counted.
    var entries: Int64
  }

  /// What held.
  struct Result {
    var invariants: [Invariant] = []
    /// At how many entries the recordings do not say.
    var unknown: Int64 = 0
  }

  private let queries: QueryService
  private let recordings: [Recording]
  private let report: QueryService.Report

  /// The entries of each recording that invariants are proposed from: the first and the last ones.
  private static let (proposing, part): (Int64, Int64) = (20_000, 1_000)
  static let recordingLimit = 64

  init(
    _ queries: QueryService, _ recordings: [Recording], report: @escaping QueryService.Report
  ) {
    self.queries = queries
    self.recordings = recordings
    self.report = report
  }

  /// The most surprising invariants that hold at every entry.
  func run(limit: Int, where isWanted: (InvariantKind) -> Bool) async throws -> Result {
    var result = Result()
    var proposed = try await self.proposed().filter { isWanted($0.kind) }[...]
    while result.invariants.count < limit, !proposed.isEmpty {
      let batch = Array(proposed.prefix(limit - result.invariants.count))
      proposed = proposed.dropFirst(batch.count)
      result.invariants += try await holding(batch, &result.unknown)
    }
    return result
  }

  private func proposed() async throws -> [Invariant] {
    let (paths, lists) = try await paths()
    var miner = InvariantMiner(paths: paths.map(\.predicate))
    var listMiner = ListMiner(scalars: paths.map(\.predicate), lists: lists.map(\.predicate))
    for (place, recording) in recordings.enumerated() {
      miner.begin()
      for stretch in Self.stretches(of: recording.seqs) {
        try await rows(of: recording.timeline, stretch, (paths + lists).map(\.pointer)) { row in
          let values = Array(row.values.prefix(paths.count))
          miner.add(values: values, event: row.event)
          let parts = zip(lists, row.values.dropFirst(paths.count)).map { $0.values(in: $1) }
          listMiner.add(scalars: values, lists: parts)
        }
      }
      await report(
        .progress(
          ToInspector.Progress {
            $0.done = Int64(place + 1)
            $0.of = Int64(recordings.count)
            $0.message = "Reading recordings"
          }))
    }
    return InvariantMiner.ranked(listMiner.invariants + miner.invariants)
  }

  private static func stretches(of seqs: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    let half = proposing / 2
    guard seqs.count > Int(proposing) else { return [seqs] }
    return [
      seqs.lowerBound...(seqs.lowerBound + half - 1),
      (seqs.upperBound - half + 1)...seqs.upperBound,
    ]
  }

  // MARK: Proposing

  /// A path, for a column and in a predicate.
  private struct Path {
    var pointer: Pointer
    var predicate: Predicate.Path
    /// The key of the elements of a list, if they are objects.
    var key: String?

    /// The values of a list; `nil` if it is not one, or too long.
    func values(in json: JSON) -> [JSON]? {
      guard let elements = json.array, elements.count <= ListMiner.elementLimit else { return nil }
      return key.map { key in elements.map { $0[key] ?? .null } } ?? elements
    }
  }

  private struct Row {
    var values: [JSON]
    var event: String?
  }

  /// The maximum number of paths of a `column` request, without the one of the event.
  private static let columnLimit = 63

  /// The paths of scalars and of lists in the first and the last state of each recording.
  private func paths() async throws -> (scalars: [Path], lists: [Path]) {
    var (scalars, lists): ([Path], [Path]) = ([], [])
    var seen: Set<String> = []
    for recording in recordings {
      for seq in [recording.seqs.upperBound, recording.seqs.lowerBound] {
        for root in [Predicate.Root.state, .outputs] {
          let request = FromInspector.State {
            $0.timeline = recording.timeline
            $0.seq = seq
            $0.path = Pointer(tokens: [root.rawValue])
            $0.depth = 5
          }
          // A state that was not captured has no paths to offer.
          guard let value = try? await queries.state(request).value else { continue }
          for path in Self.paths(in: value.value, root)
          where seen.insert("\(path.predicate)").inserted {
            if path.predicate.steps.contains(.each) {
              if lists.count < ListMiner.listLimit { lists.append(path) }
            } else if scalars.count < InvariantMiner.pathLimit {
              scalars.append(path)
            }
          }
        }
      }
    }
    return (scalars, Array(lists.prefix(Self.columnLimit - scalars.count)))
  }

  private static func paths(
    in value: JSON, _ root: Predicate.Root, _ keys: [String] = []
  ) -> [Path] {
    let steps = keys.map { Predicate.Step.key($0) }
    let pointer = Pointer(tokens: [root.rawValue] + keys)
    switch value {
    case .null, .bool, .number, .string:
      return [Path(pointer: pointer, predicate: .init(root, steps))]
    case .array(let elements):
      // The kind of the elements is that of the first one.
      switch elements.first {
      case .number, .string:
        return [Path(pointer: pointer, predicate: .init(root, steps + [.each]))]
      case .object(let members):
        return members.compactMap { key, member in
          guard member.isSingle, key != "$cut" else { return nil }
          return Path(
            pointer: pointer, predicate: .init(root, steps + [.each, .key(key)]), key: key)
        }
      case .null, .bool, .array, nil: return []
      }
    case .object(let members):
      // A part that was left out has this member.
      guard members["$cut"] == nil else { return [] }
      return members.flatMap { key, member in paths(in: member, root, keys + [key]) }
    }
  }

  /// Passes on the known rows of a stretch.
  private func rows(
    of timeline: TimelineID, _ seqs: ClosedRange<Int64>, _ paths: [Pointer],
    _ body: (Row) -> Void
  ) async throws {
    var from = seqs.lowerBound
    while from <= seqs.upperBound, !paths.isEmpty {
      let (start, count) = (from, min(Self.part, seqs.upperBound - from + 1))
      try Task.checkCancellation()
      let answer = try await queries.column(
        FromInspector.Column {
          $0.timeline = timeline
          $0.paths = paths + [Pointer(tokens: ["event"])]
          $0.from = start
          $0.count = count
        })
      let unknown = answer.unknown ?? []
      let columns = answer.columns.map { Array($0.elements) }
      let rows = columns.map(\.count).min() ?? 0
      for row in 0..<rows {
        let seq = start + Int64(row)
        guard !unknown.contains(where: { $0.seqs.contains(seq) }) else { continue }
        body(
          Row(
            values: columns.dropLast().map { $0[row].value },
            event: columns.last.flatMap { Entry.name(of: $0[row]) }))
      }
      guard rows > 0 else { return }
      from += Int64(rows)
    }
  }

  // MARK: Trying

  /// Those of some invariants that hold at every entry of every recording.
  private func holding(
    _ proposed: [Invariant], _ unknown: inout Int64
  ) async throws -> [Invariant] {
    guard !proposed.isEmpty else { return [] }
    let broken = Predicate(
      .any(proposed.map { .not($0.predicate.expression) }))
    var unclear: Int64 = 0
    for recording in recordings {
      let (isBroken, count) = try await search(for: broken, in: recording)
      unclear += count
      guard isBroken else { continue }
      guard proposed.count > 1 else { return [] }
      let middle = proposed.count / 2
      return try await holding(Array(proposed[..<middle]), &unknown)
        + holding(Array(proposed[middle...]), &unknown)
    }
    unknown = max(unknown, unclear)
    return proposed
  }

  /// Whether some entry matches, and for how many before that it is not known.
  private func search(
    for predicate: Predicate, in recording: Recording
  ) async throws -> (isFound: Bool, unknown: Int64) {
    var asked = FromInspector.Find {
      $0.timeline = recording.timeline
      $0.predicate = predicate
      $0.from = recording.seqs.lowerBound
    }
    var unknown: Int64 = 0
    while true {
      let answer = try await queries.find(asked, report: report)
      unknown += answer.unknownCount
      guard answer.seqs.isEmpty, let next = answer.next else {
        return (!answer.seqs.isEmpty, unknown)
      }
      asked.from = next
    }
  }
}

extension JSON {
  /// Whether it can be an element of a sum, or identify something.
  fileprivate var isSingle: Bool {
    switch self {
    case .number, .string: true
    case .null, .bool, .array, .object: false
    }
  }
}
