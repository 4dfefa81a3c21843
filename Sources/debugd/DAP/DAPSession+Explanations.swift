import JSONCore
import Predicates
import Timelines
import Wire

// What an editor shows about breakpoints: why one is never hit, and what changed where one was.
extension DAPSession {
  /// Why a breakpoint is not hit where that is known: it is misspelled, or its condition never holds.
  ///
  /// - Parameter text: what it stops at without its condition; `nil` if it has none.
  func explanation(
    of predicate: Predicates.Predicate, without text: String?, _ description: String
  ) async throws -> String? {
    // One machine may have what another does not have.
    var misspelling: String?
    for machine in machines {
      misspelling = await inquiry.misspelling(in: predicate, of: machine.timeline)
      if misspelling == nil { break }
    }
    if let misspelling { return misspelling }
    guard let text else { return nil }
    let count = try await count(of: Predicates.Predicate(text))
    guard count > 0 else { return nil }
    let entries =
      count < Self.maximumCounted
      ? Amounts.count(count, "entry has", "entries have") : "At least \(count) entries have"
    return "\(entries) \(description), but the condition never holds there."
  }

  /// A count need not be exact, and collects what it counts.
  private static let maximumCounted: Int64 = 1_000

  /// How many entries of all machines a predicate holds for.
  private func count(of predicate: Predicates.Predicate) async throws -> Int64 {
    var count: Int64 = 0
    for machine in machines where count < Self.maximumCounted {
      let request = FromInspector.Find {
        $0.timeline = machine.timeline
        $0.predicate = predicate
        $0.from = machine.seqs.lowerBound
      }
      let found = try await inquiry.search(request, limit: Self.maximumCounted - count)
      count += Int64(found.seqs.count)
    }
    return count
  }

  /// What a stop is described with; a change with the values before and after it.
  func description(of hit: DAPHit, in machine: Machine) async -> String {
    var texts: [String] = []
    for breakpoint in hit.breakpoints {
      var text = breakpoint.text
      if let path = breakpoint.path, let change = await change(of: path, at: hit.seq, in: machine) {
        text += ": \(change)"
      }
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.joined(separator: ", ")
  }

  /// `450 → 460`; `nil` if one of the values is not known.
  private func change(of path: Pointer, at seq: Int64, in machine: Machine) async -> String? {
    guard seq > machine.seqs.lowerBound else { return nil }
    var texts: [String] = []
    for seq in [seq - 1, seq] {
      let place = DAPHandles.Place(timeline: machine.timeline, seq: seq, path: path)
      guard let value = try? await value(at: place) as JSON?? else { return nil }
      texts.append(value.map { Self.text($0) } ?? "absent")
    }
    return texts.joined(separator: " → ")
  }
}
