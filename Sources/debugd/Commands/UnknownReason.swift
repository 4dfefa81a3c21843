import DebugServer
import JSONCore
import Timelines
import Wire

/// Why a question about values has no answer for some entries.
enum UnknownReason: String, CaseIterable {
  case lost = "entries were lost"
  case redacted = "values were redacted"
  case notCaptured = "states were not captured"

  /// The reasons for a range, by the lines around it.
  static func of(_ stretch: ClosedRange<Int64>, lines: [JSONSlice]) -> Set<UnknownReason> {
    var reasons: Set<UnknownReason> = []
    for line in lines {
      guard let seq = line["seq"]?.int, seq <= stretch.upperBound.saturatingSuccessor else {
        continue
      }
      // What an entry hides is unknown before the next one, too.
      if line["redacted"] != nil, seq <= stretch.upperBound { reasons.insert(.redacted) }
      if let lost = line["gap"]?["lost"]?.int, seq > stretch.lowerBound, lost > 0 {
        reasons.insert(.lost)
      }
      // After a loss nothing is known up to the next keyframe.
      if line["gap"] != nil, stretch.contains(seq), line["state"] == nil { reasons.insert(.lost) }
      let isThinned = seq > 0 && line["patch"] == nil && line["state"] == nil
      if isThinned, line["gap"] == nil, seq <= stretch.upperBound { reasons.insert(.notCaptured) }
    }
    return reasons
  }

  /// A sentence with some reasons, and what helps against them.
  static func sentence(_ reasons: Set<UnknownReason>) -> String {
    let words = allCases.filter(reasons.contains).map(\.rawValue)
    let why = words.isEmpty ? notCaptured.rawValue : words.joined(separator: ", and ")
    // A host computes what was not captured, and nothing else.
    let helps = reasons.isEmpty || reasons.contains(.notCaptured)
    return helps ? "\(why). \(Inquiry.notSearched)" : "\(why)."
  }
}

extension Inquiry {
  /// The stretches that are looked at to find out why they are unknown: reasons repeat.
  private static let examinedStretches = 8

  /// Why some stretches are unknown, as a sentence.
  func unknownReasons(_ stretches: [SeqRange], in timeline: TimelineID) async throws -> String {
    var reasons: Set<UnknownReason> = []
    for stretch in stretches.prefix(Self.examinedStretches) {
      let seqs = stretch.seqs
      let request = FromInspector.Entries {
        $0.timeline = timeline
        $0.from = max(0, seqs.lowerBound - 1)
        // The one before, the first of the stretch, and what follows a loss.
        $0.count = 3
      }
      let answer = try await asking.ask(request)
      reasons.formUnion(UnknownReason.of(seqs, lines: answer.entries))
    }
    return UnknownReason.sentence(reasons)
  }
}

extension Int64 {
  fileprivate var saturatingSuccessor: Int64 { self == .max ? self : self + 1 }
}
