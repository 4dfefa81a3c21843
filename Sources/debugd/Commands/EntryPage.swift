import JSONCore
import Predicates
import Timelines
import Wire

/// Entries that are not far from each other, which one request can ask for.
struct EntryPage {
  /// The entries, in ascending order.
  private(set) var seqs: [Int64]

  /// The number of entries of a page, so that its filter is a short text.
  private static let maximumCount = 100
  /// The number of entries that the daemon reads for a page.
  private static let maximumSpan: Int64 = 4_096

  static func pages(of seqs: some Sequence<Int64>) -> [EntryPage] {
    var pages: [EntryPage] = []
    for seq in Set(seqs).sorted() {
      if let page = pages.last, page.seqs.count < maximumCount, seq - page.first < maximumSpan {
        pages[pages.count - 1].seqs.append(seq)
      } else {
        pages.append(EntryPage(seqs: [seq]))
      }
    }
    return pages
  }

  var first: Int64 { seqs.first ?? 0 }
  var last: Int64 { seqs.last ?? 0 }

  /// What only these entries match; `nil` if there are no others between them.
  var filter: Predicate? {
    guard last - first >= seqs.count else { return nil }
    return try? Predicate(seqs.map { "seq == \($0)" }.joined(separator: " || "))
  }
}

extension Inquiry {
  /// The lines of entries as they were recorded, by seq; an entry that was lost has none.
  func lines(
    of seqs: some Sequence<Int64>, in timeline: TimelineID
  ) async throws -> [Int64: JSONSlice] {
    var lines: [Int64: JSONSlice] = [:]
    for page in EntryPage.pages(of: seqs) {
      var window = Window(
        timeline: timeline, from: page.first, count: Int64(page.seqs.count), filter: page.filter,
        direction: .forward)
      while let next = window.from, next <= page.last, let part = try await window.next(self) {
        // The next ones instead of lost ones.
        for line in part {
          if let seq = line["seq"]?.int, page.seqs.contains(seq) { lines[seq] = line }
        }
      }
    }
    return lines
  }
}
