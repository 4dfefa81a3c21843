internal import Exploring
package import JSONCore
package import Predicates
internal import TimelineStore
package import Timelines
internal import Wire

/// Branches for a file, around one entry.
package struct WhatIf: Sendable {
  /// The entries whose events are left out, exchanged, and repeated.
  package let window: ClosedRange<Int64>
  /// The branches; the one with the fewest events is last.
  package var branches: [WhatIfBranch]
  /// Whether the last one has the fewest events for the failure.
  package var hasFewest = false
  /// Whether further branches are too large.
  package var isCut = false
}

extension WhatIf {
  /// An event without a payload, and the entries before which it is inserted.
  package struct Insert: Sendable {
    package let event: JSONSlice
    package var before: [Int64]
  }

  /// The branches that insert an event without a payload, by event.
  package var inserts: [Insert] {
    var inserts: [Insert] = []
    for branch in branches {
      guard let edits = branch.header.parent?.edits.edits, edits.count == 1,
        case .insert(let event, let before) = edits[0], event.isEventWithoutPayload
      else { continue }
      let place = inserts.firstIndex { $0.event.bytes == event.bytes } ?? inserts.endIndex
      if place == inserts.endIndex { inserts.append(Insert(event: event, before: [])) }
      inserts[place].before.append(before)
    }
    return inserts
  }
}

extension RerunService {
  /// The number of names of events without a payload that are inserted.
  private static let insertableLimit = 8

  /// Computes branches around an entry, without storing them.
  ///
  /// - Parameters:
  ///   - seq: the entry; the last one if `nil`.
  ///   - failure: the failure to which the recording is minimized as well.
  package func whatIf(
    _ timeline: TimelineID, around seq: Int64?, failure: Predicate?,
    limits: WhatIfLimits = WhatIfLimits(), _ report: @escaping ProgressReport
  ) async throws -> WhatIf {
    let recording = try await StoredRecording(timeline, in: store)
    let seqs = try recording.stretch(from: nil, to: nil)
    let seq = seq ?? seqs.upperBound
    guard seqs.contains(seq) else {
      throw Refusal.noEntry(seq, in: seqs, path: "whatIf", timeline: timeline)
    }
    let through = min(seqs.upperBound, seq.addingReportingOverflow(limits.followers).partialValue)
    let host = try await hosts.host(for: recording.header, named: nil)
    let run = WhatIfRun(
      recording: recording, host: host, hosts: hosts, requestBytes: limits.requestBytes)
    let scripts = try await scripts(around: seq, last: through, of: recording)
    var whatIf = try await branches(of: scripts, run, through: through, limits, report)
    do {
      if let failure, let fewest = try await fewest(for: failure, of: recording, run, report) {
        whatIf.branches.append(fewest)
        whatIf.hasFewest = true
      }
    } catch is WhatIfRun.TooLong {
      whatIf.isCut = true
    }
    guard !whatIf.branches.isEmpty || !whatIf.isCut else {
      throw Refusal(
        .limit,
        "The results of edits around entry \(seq) are too large for a file. To fix, export it without them.",
        path: "whatIf")
    }
    return whatIf
  }

  /// Computes the branches of scripts, the nearest first, up to the one that is too large together with
  /// those before it.
  private func branches(
    of scripts: WhatIfScripts, _ run: WhatIfRun, through: Int64, _ limits: WhatIfLimits,
    _ report: @escaping ProgressReport
  ) async throws -> WhatIf {
    var whatIf = WhatIf(window: scripts.window, branches: [])
    var left = limits.bytes
    for (place, script) in scripts.scripts.enumerated() where left >= 0 {
      do {
        if let branch = try await run.branch(script, through: through) {
          left -= branch.entries.reduce(0) { $0 + $1.line.range.count }
          if left >= 0 { whatIf.branches.append(branch) } else { whatIf.isCut = true }
        }
      } catch is WhatIfRun.TooLong {
        // Those of later entries have fewer events.
        whatIf.isCut = true
      }
      await report(
        .progress(
          ToInspector.Progress {
            $0.done = Int64(place + 1)
            $0.of = Int64(scripts.scripts.count)
            $0.message = "Computing branches"
          }))
    }
    return whatIf
  }

  private func scripts(
    around seq: Int64, last: Int64, of recording: StoredRecording
  ) async throws -> WhatIfScripts {
    let first = recording.seqs?.lowerBound ?? 0
    let entries = try await recording.whole(max(first, seq - 1_000)...last)
    var events: [Int64: JSONSlice] = [:]
    var insertable: [JSONSlice] = []
    for entry in entries {
      // An event with a stand-in is not what the app received.
      let isRedacted = entry.redacted.contains { $0.pointer.tokens.first == "event" }
      guard let event = entry.event, !isRedacted, !entry.isFixedPoint else { continue }
      events[entry.seq] = event
      guard event.isEventWithoutPayload, insertable.count < Self.insertableLimit,
        !insertable.contains(where: { $0.bytes == event.bytes })
      else { continue }
      insertable.append(event)
    }
    guard
      let scripts = WhatIfScripts(
        around: seq, last: last, events: events, insertable: insertable)
    else {
      throw Refusal(
        .notFound, "The recording has no events to leave out.", path: "whatIf",
        timeline: recording.id)
    }
    return scripts
  }

  /// The branch with the fewest events; `nil` if it does not begin where the recording does.
  private func fewest(
    for failure: Predicate, of recording: StoredRecording, _ run: WhatIfRun,
    _ report: @escaping ProgressReport
  ) async throws -> WhatIfBranch? {
    let asked = FromInspector.Minimize {
      $0.timeline = recording.id
      $0.predicate = failure
    }
    let fewest = try await fewestEvents(asked, report)
    let last = recording.seqs?.upperBound ?? fewest.end
    let script = fewest.result.script(
      after: fewest.base, isFirst: fewest.base == recording.seqs?.lowerBound,
      through: fewest.end, last: last)
    let count = fewest.result.items.count
    return try await run.branch(
      script, through: last, name: "\(count) event\(count == 1 ? "" : "s"): \(failure)",
      failure: failure)
  }
}
