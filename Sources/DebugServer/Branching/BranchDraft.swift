internal import JSONCore
internal import TimelineStore
internal import Timelines

/// A branch as it is planned, before anything of it is stored or computed.
///
/// The plan follows from the parent's entries up to `through`, which never change, and from the
/// script. So a branch that was interrupted is planned again, and comes out the same.
struct BranchDraft: Sendable {
  /// The header of the branch.
  var header: Header
  /// What is shared, and what is to be computed.
  let plan: ForkPlan
  /// The time of the entry that the plan's base belongs to.
  let baseTime: Int64

  /// Which entries of the branch are its own; empty when all are the parent's.
  var own: Range<Int64> { plan.start..<plan.firstStep + plan.stepCount }

  /// The branch that a script makes of a parent.
  ///
  /// - Throws: a ``Refusal`` when the script is none, or cannot be carried out.
  static func new(
    _ asked: FromInspector.Fork, named id: TimelineID = .random(), _ reader: StoreReader
  ) throws -> BranchDraft {
    let script: EditScript
    do {
      script = try EditScript(reading: asked.edits)
    } catch {
      throw Refusal(error, timeline: asked.timeline)
    }
    let parent = try Header(stored: reader.timeline(asked.timeline))
    let (plan, baseTime, outline) = try plan(script, of: parent, through: asked.through, reader)
    var fields = parent.fields
    fields.timeline = id
    fields.forkedFrom = nil
    fields.parent = plan.parent(parent.timeline, edits: script, name: asked.name)
    fields.parent?.isFromStandIns =
      outline.hasStandIns || parent.parent?.isFromStandIns == true
    fields.parent?.failure = asked.failure
    return BranchDraft(header: try Header(fields), plan: plan, baseTime: baseTime)
  }

  /// A branch that is stored, and perhaps not complete.
  static func stored(_ header: Header, _ reader: StoreReader) throws -> BranchDraft {
    guard let fork = header.parent else {
      throw Refusal(.failed, "\(header.timeline) is no branch.", timeline: header.timeline)
    }
    let parent = try Header(stored: reader.timeline(fork.timeline))
    let (plan, baseTime, _) = try plan(fork.edits, of: parent, through: fork.through, reader)
    return BranchDraft(header: header, plan: plan, baseTime: baseTime)
  }

  private static func plan(
    _ script: EditScript, of parent: Header, through: Int64?, _ reader: StoreReader
  ) throws -> (ForkPlan, baseTime: Int64, TimelineOutline) {
    let lineage = try reader.lineage(of: parent.timeline)
    let outline = try reader.outline(
      of: lineage, through: through, fixedPointsIn: script.edits.compactMap(\.stretch))
    do {
      guard let outline else { throw EditError(.emptyTimeline) }
      let last = outline.shape.through
      guard try reader.entry(of: lineage, at: last) != nil else {
        throw EditError(.throughDoesNotExist(last))
      }
      let plan = try script.plan(for: outline.shape) { seq in
        (try? reader.entry(of: lineage, at: seq))?.event
      } state: { seq in
        (try? reader.moment(of: lineage, at: seq))?.state
      }
      let base = try reader.entry(of: lineage, at: plan.base.seq)
      return (plan, base?.t ?? 0, outline)
    } catch let error as EditError {
      throw Refusal(error, timeline: parent.timeline)
    }
  }
}

extension Header {
  /// The header of a stored timeline.
  init(stored record: TimelineRecord) throws {
    do {
      try self.init(reading: record.header)
    } catch {
      throw Refusal(.failed, "The header of \(record.id) cannot be read.", timeline: record.id)
    }
  }
}

extension Edit {
  /// The entries of which it has to be known whether they took their state as given.
  fileprivate var stretch: ClosedRange<Int64>? {
    switch self {
    case .drop(let range): range
    case .replace(let seq, _), .move(let seq, _): seq...seq
    case .insert, .append, .cut, .start, .startAt: nil
    }
  }
}

extension Refusal {
  /// What is told of a script that is none, or cannot be carried out.
  init(_ error: EditError, timeline: TimelineID) {
    let path =
      switch error.reason {
      case .throughDoesNotExist: "through"
      case .emptyTimeline: "timeline"
      default: "edits"
      }
    self.init(.wrongValue, error.sentence, path: path, timeline: timeline)
    reply.at = error.index.map(Int64.init)
  }
}

extension EditError {
  /// The description as a sentence.
  fileprivate var sentence: String {
    let text = description
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
