internal import JSONCore
import Predicates
internal import TimelineStore
internal import Timelines
internal import Wire

/// The plan of a branch, before anything is stored or computed.
///
/// The plan depends only on the script and on the parent's entries up to `through`, which never
/// change. So planning an interrupted branch again gives the same plan.
struct BranchDraft: Sendable {
  var header: Header
  /// The entries that are shared, and those to compute.
  let plan: ForkPlan
  /// The time of the entry that the plan starts from.
  let baseTime: Int64

  /// The entries that the branch does not share; empty if it shares all of them.
  var own: Range<Int64> { plan.start..<plan.firstStep + plan.stepCount }

  /// The branch that a script makes of a parent.
  ///
  /// - Throws: a ``Refusal`` if the script is invalid or does not fit the parent.
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

  /// A stored branch, which may be incomplete.
  static func stored(_ header: Header, _ reader: StoreReader) throws -> BranchDraft {
    guard let fork = header.parent else {
      throw Refusal(.failed, "\(header.timeline) is not a branch.", timeline: header.timeline)
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
      throw Refusal(error, timeline: parent.timeline, shape: outline?.shape)
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
  /// The entries for which the plan must know whether their state was given.
  fileprivate var stretch: ClosedRange<Int64>? {
    switch self {
    case .drop(let range): range
    case .replace(let seq, _), .move(let seq, _): seq...seq
    case .insert, .append, .cut, .start, .startAt: nil
    }
  }
}

extension Refusal {
  /// The refusal of a script that is invalid or does not fit the parent.
  ///
  /// - Parameter shape: the entries that the script can name, if they are known.
  init(_ error: EditError, timeline: TimelineID, shape: TimelineShape? = nil) {
    let path =
      switch error.reason {
      case .throughDoesNotExist: "through"
      case .emptyTimeline: "timeline"
      default: "edits"
      }
    var message = error.sentence
    if case .doesNotExist = error.reason, let shape {
      message += " The timeline has entries \(shape.first) to \(shape.through)."
    }
    self.init(.wrongValue, message, path: path, timeline: timeline)
    reply.at = error.index.map(Int64.init)
  }
}

extension EditError {
  fileprivate var sentence: String {
    let text = description
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
