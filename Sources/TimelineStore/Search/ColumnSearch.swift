package import JSONCore
internal import Timelines
internal import Wire

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A query for the values at some paths in a stretch of entries.
package struct ColumnQuery: Sendable {
  /// The paths, `/state/…`, `/outputs/…` or `/event/…`.
  package var paths: [Pointer]
  /// The first seq.
  package var from: Int64
  /// The number of seqs.
  package var count: Int
  /// The bytes above which a value is cut.
  package var cutBytes: Int

  /// The maximum number of seqs in one answer, the same as for the buckets of an overview.
  package static let countLimit = 16_384

  package init(
    paths: [Pointer], from: Int64, count: Int, cutBytes: Int = ProtocolLimits().cutBytes
  ) {
    self.paths = paths
    self.from = from
    self.count = min(count, Self.countLimit)
    self.cutBytes = cutBytes
  }
}

/// The values at some paths, as arrays of JSON.
package struct ColumnAnswer: Sendable {
  /// The first seq.
  package var from: Int64
  /// An array for each path: at `i` the value after the entry `from + i`, or `null` if it is absent
  /// or unknown. All end with the timeline, or when the answer is large enough.
  package var columns: [[UInt8]]
  /// The seqs whose values are not known, ascending.
  package var unknown: [ClosedRange<Int64>]
}

/// Reads values run by run, so that each read of the store is short.
struct ColumnSearch: Sendable {
  /// One requested path.
  private enum Part: Sendable {
    case value(root: Int, rest: ArraySlice<String>)
    case event(Pointer)
  }

  private let query: ColumnQuery
  private let parts: [Part]
  private var values: TrackedValues
  private var columns: [[UInt8]]
  /// The text of the last value at the path, and its version.
  private var last: [(version: Int, text: [UInt8])]
  private var unknown = SeqRanges()
  private var position: Int64
  private var hasBegun = false

  /// Prepares a search; `nil` if a path starts with none of `state`, `outputs`, `event`.
  init?(_ query: ColumnQuery) {
    self.query = query
    var roots: [ValueRoot] = []
    var parts: [Part] = []
    for path in query.paths {
      if path.tokens.first == "event" {
        parts.append(.event(Pointer(tokens: Array(path.tokens.dropFirst()))))
      } else if let (root, rest) = ValueRoot.split(path) {
        parts.append(.value(root: roots.count, rest: rest))
        roots.append(root)
      } else {
        return nil
      }
    }
    self.parts = parts
    values = TrackedValues(roots)
    columns = parts.map { _ in [] }
    last = parts.map { _ in (-1, []) }
    position = max(0, query.from)
  }

  /// Whether a path is valid for a column.
  static func isPath(_ path: Pointer) -> Bool {
    path.tokens.first == "event" || ValueRoot.split(path) != nil
  }

  /// Performs one step; returns the answer when the search is done.
  mutating func step(_ source: SearchSource) throws(StoreError) -> ColumnAnswer? {
    guard let ends = source.ends, query.count > 0, position <= ends.upperBound else {
      return answer
    }
    if !hasBegun {
      hasBegun = true
      if !values.roots.isEmpty, let keyframe = try source.keyframe(upTo: position) {
        try values.catchUp(from: keyframe, to: position, source)
      }
    }
    let (end, overflow) = max(0, query.from).addingReportingOverflow(Int64(query.count) - 1)
    let bound = overflow ? ends.upperBound : min(end, ends.upperBound)
    guard position <= bound, let place = try source.run(from: position) else { return answer }
    skip(to: min(bound + 1, place.seqs.lowerBound))
    guard position <= bound else { return answer }
    let range = position...min(bound, place.seqs.upperBound)
    if let run = try source.entries(of: place) {
      run.bytes.withUnsafeBufferPointer { bytes in
        for seq in range { read(run, bytes, at: Int(seq - run.first), seq) }
      }
      position = range.upperBound + 1
    } else {
      values.forget()
      skip(to: range.upperBound + 1)
    }
    return position > bound ? answer : nil
  }

  private var answer: ColumnAnswer {
    ColumnAnswer(
      from: query.from,
      columns: columns.map { column in
        [UInt8(ascii: "[")] + column.dropLast() + [UInt8(ascii: "]")]
      }, unknown: SeqRanges.union(unknown.ranges))
  }

  /// Skips lost seqs.
  private mutating func skip(to seq: Int64) {
    guard seq > position else { return }
    unknown.add(position...seq - 1)
    for index in columns.indices {
      for _ in position..<seq { columns[index] += Array("null,".utf8) }
    }
    position = seq
  }

  private mutating func read(
    _ run: EntryRun, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ seq: Int64
  ) {
    let fields = LineFields(bytes, line: run.place(at: index))
    if !values.roots.isEmpty {
      _ = values.advance(fields, bytes, of: run.bytes)
      if !values.isKnown { unknown.add(seq) }
    }
    for (column, part) in parts.enumerated() {
      switch part {
      case .event(let pointer):
        let slice =
          fields.event.isEmpty
          ? nil : JSONSlice(checkedBefore: run.bytes, at: fields.event)[pointer]
        append(slice.map { Array($0.bytes) }, to: column)
      case .value(let root, let rest):
        if last[column].version != values.version {
          let value = values.values[root].flatMap { $0[Pointer(tokens: Array(rest))] }
          last[column] = (values.version, value?.encoded() ?? [])
        }
        append(last[column].text.isEmpty ? nil : last[column].text, to: column)
      }
    }
  }

  private mutating func append(_ value: [UInt8]?, to column: Int) {
    if let value, value.count > query.cutBytes {
      columns[column] += Array("{\"$cut\":\(value.count)}".utf8)
    } else {
      columns[column] += value ?? Array("null".utf8)
    }
    columns[column].append(UInt8(ascii: ","))
  }
}
