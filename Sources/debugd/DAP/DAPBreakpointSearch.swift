import JSONCore
import Predicates
import Wire

/// Breakpoints that the recording is searched for, after the response to the request that set them: a
/// search can take long, and an editor goes on only after the response.
struct DAPBreakpointSearch: Sendable {
  struct Wanted: Sendable {
    let breakpoint: DAPBreakpoint
    /// What it stops at without its condition; `nil` if it has none.
    let unconditional: String?
    /// The line of the request.
    var line: JSON?
  }

  /// A slow condition delays no other one, unless this many are slow.
  private static let maximumConcurrent = 8

  /// The breakpoints that a request replaces, and so their search.
  let group: DAPBreakpoints.Group
  let session: DAPSession
  var wanted: [Wanted] = []

  /// Searches for all, and reports the outcome of each as soon as it is known.
  func run(_ report: @escaping @Sendable (JSON) async -> Void) async {
    await withTaskGroup(of: Void.self) { tasks in
      for (place, wanted) in wanted.enumerated() {
        if place >= Self.maximumConcurrent { await tasks.next() }
        guard !Task.isCancelled else { break }
        tasks.addTask {
          let problem = await session.problem(of: wanted)
          let outcome = DAPSession.MadeBreakpoint(
            breakpoint: wanted.breakpoint, state: problem.map { .failed($0) } ?? .verified)
          await report(outcome.json(line: wanted.line))
        }
      }
    }
  }
}

extension DAPSession {
  /// Long recordings would keep the daemon busy, so no more entries are searched for a breakpoint.
  static let maximumVerified: Int64 = 100_000

  /// Why a breakpoint is not verified; `nil` if an entry hits it.
  func problem(of wanted: DAPBreakpointSearch.Wanted) async -> String? {
    let breakpoint = wanted.breakpoint
    do {
      guard let absence = try await absence(of: breakpoint.predicate, breakpoint.text) else {
        return nil
      }
      return try await explanation(
        of: breakpoint.predicate, without: wanted.unconditional, breakpoint.text) ?? absence
    } catch {
      return "\(error)"
    }
  }

  /// That no entry hits a breakpoint, as a sentence; `nil` if one does.
  private func absence(
    of predicate: Predicates.Predicate, _ description: String
  ) async throws -> String? {
    let cut =
      "None of the first \(Self.maximumVerified) entries is \(description). Later ones were not "
      + "searched, but the breakpoint stops at them, too."
    var left = Self.maximumVerified
    for machine in machines {
      let (from, last) = (machine.seqs.lowerBound, machine.seqs.upperBound)
      guard left > 0 else { return cut }
      let end = last - from < left ? nil : from + left - 1
      if try await first(predicate, in: machine.timeline, from, .forward, upTo: end) != nil {
        return nil
      }
      guard end == nil else { return cut }
      left -= last - from + 1
    }
    return "No entry of the recording is \(description)."
  }
}
