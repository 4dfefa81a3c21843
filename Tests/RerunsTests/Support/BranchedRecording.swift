import JSONCore
import Replaying
import StatesCore
import TestSupport
import Timelines

/// Makes synthetic recordings: random events, thinned stretches, restored states.
enum BranchedRecording {
  /// A recording of some random events after entry 0.
  static func make(
    _ machine: BranchedMachine, count: Int64, seed: UInt64, isEven: Bool = false
  ) throws -> Timeline {
    var random = SeededGenerator(seed: seed)
    let id = TimelineID.random()
    var timeline = Timeline(try header(of: machine.replay, id))
    let replayer = try machine.replay.makeReplayer()
    if let state = machine.first {
      let first = try Entry(reading: Array(#"{"seq":0,"t":0,"state":\#(state)}"#.utf8))
      let step = PlannedStep(seq: 0, t: 0, action: .take(first))
      try timeline.append(replayer.run(step).entry())
    } else {
      try timeline.append(replayer.begin().entry())
    }
    var wasThinned = false
    var t: Int64 = 0
    for seq in 1..<count + 1 {
      t += Int64.random(in: 0...20, using: &random)
      var step = PlannedStep(
        seq: seq, was: seq, t: t, action: try action(machine, seq, t, id, timeline, &random, isEven)
      )
      if random.chance(0.3) { step.origin = .timer }
      if random.chance(0.3) { step.at = "App.swift:\(seq)" }
      if random.chance(0.3) { step.cause = .here(Int64.random(in: 0..<seq, using: &random)) }
      var draft = try replayer.run(step)
      draft.was = nil
      let isFixed = draft.event == nil
      if !isEven, !isFixed, random.chance(0.1) {
        draft.thin()
        wasThinned = true
      } else {
        if wasThinned {
          let snapshot = try replayer.snapshot()
          draft.state = snapshot.state.encoded()[...]
          draft.outputState = replayer.outputKinds.isEmpty ? nil : snapshot.outputs.encoded()[...]
        }
        wasThinned = false
      }
      try timeline.append(draft.entry())
    }
    return timeline
  }

  static func header(of replay: Replay, _ id: TimelineID) throws -> Header {
    var machine = Header.Machine(type: replay.type, name: "machine")
    machine.kind = replay.kind.rawValue
    machine.make = replay.make
    return try Header(
      Header.Fields(
        timeline: id, app: Header.App(name: "Tests"), machine: machine,
        started: Timestamp(microseconds: 0)))
  }

  private static func action(
    _ machine: BranchedMachine, _ seq: Int64, _ t: Int64, _ id: TimelineID, _ timeline: Timeline,
    _ random: inout SeededGenerator, _ isEven: Bool
  ) throws -> PlannedStep.Action {
    let past = Int64.random(in: 0..<seq, using: &random)
    if !isEven, random.chance(0.05), case .known(let snapshot)? = timeline.moment(at: past) {
      var draft = EntryDraft(seq: seq, t: t)
      draft.state = snapshot.state.encoded()[...]
      draft.outputState = snapshot.outputs.encoded()[...]
      if past % 2 == 0 {
        draft.restored = EntryReference(timeline: id, seq: past)
      } else {
        draft.isJump = true
      }
      return .take(try draft.entry())
    }
    let event = machine.event(&random, seq)
    return .reduce(try JSONSlice(validating: Array(event.utf8)))
  }
}
