import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

/// A reducer of another library.
private enum Cart: Replayable {
  static func make() -> RecordedReducer<[String], String> {
    RecordedReducer(first: ["basket"], outputs: Outputs([Output("count", \.count)])) {
      (state: [String], event: String) in state + [event]
    }
  }
}

@Suite("Replaying: a whole recording")
struct TimelineReplayTests {
  /// The entries of a replayed recording, or error messages.
  private func run(_ lines: [String], by replay: Replay = Replay(of: Cart.self)) throws -> [String]
  {
    var timeline = try Timeline.reading([])
    for line in lines { try timeline.append(Entry(reading: line)) }
    var run = TimelineReplay(timeline, with: try replay.makeReplayer())
    var result: [String] = []
    for _ in lines {
      do throws(ReplayError) {
        guard var draft = try run.next() else { break }
        draft.ns = nil
        result.append(String(decoding: draft.line, as: UTF8.self))
      } catch {
        result.append("\(error)")
      }
    }
    return result
  }

  @Test("computes thinned states")
  func thinned() throws {
    let lines = try run([
      #"{"seq":0,"t":0,"state":["a"],"outputState":{"count":1}}"#,
      #"{"seq":1,"t":5,"event":"b"}"#,
      #"{"seq":2,"t":6,"event":"c","origin":"timer","at":"A.swift:3","cause":1}"#,
    ])
    #expect(
      lines == [
        #"{"seq":0,"t":0,"state":["a"],"outputState":{"count":1}}"#,
        #"{"seq":1,"t":5,"event":"b","state":["a","b"],"outputState":{"count":2},"#
          + #""patch":[{"op":"add","path":"/1","value":"b"}],"#
          + #""outputs":[{"op":"replace","path":"/count","value":2}]}"#,
        #"{"seq":2,"t":6,"event":"c","state":["a","b","c"],"outputState":{"count":3},"#
          + #""patch":[{"op":"add","path":"/2","value":"c"}],"#
          + #""outputs":[{"op":"replace","path":"/count","value":3}],"#
          + #""cause":1,"origin":"timer","at":"A.swift:3"}"#,
      ])
  }

  @Test("continues with the next recorded state after an undecodable event or a gap")
  func goesOn() throws {
    let lines = try run([
      #"{"seq":0,"t":0,"state":["a"]}"#,
      #"{"seq":1,"t":1,"event":7,"patch":[{"op":"add","path":"/-","value":"7"}]}"#,
      #"{"seq":2,"t":2,"event":"c","patch":[]}"#,
      #"{"seq":4,"t":4,"event":"d","state":["x"],"gap":{"lost":1,"why":"full"}}"#,
      #"{"seq":5,"t":5,"event":"e"}"#,
    ])
    #expect(lines[1].hasPrefix("entry 1: Today's type cannot decode the event"))
    #expect(lines[2] == #"{"seq":2,"t":2,"event":"c"}"#)
    #expect(
      lines[3]
        == #"{"seq":4,"t":4,"event":"d","state":["x"],"outputState":{"count":1},"gap":{"lost":1,"why":"full"}}"#
    )
    #expect(lines[4].contains(#""state":["x","e"]"#))
  }

  @Test("uses the recorded states of restores and jumps")
  func fixedPoints() throws {
    let id = TimelineID.random()
    let lines = try run([
      #"{"seq":0,"t":0,"state":["a"]}"#,
      #"{"seq":1,"t":1,"state":["z"],"patch":[{"op":"replace","path":"/0","value":"z"}],"jump":true}"#,
      #"{"seq":2,"t":2,"state":["y"],"patch":[{"op":"replace","path":"/0","value":"y"}],"restored":{"timeline":"\#(id)","seq":9}}"#,
      #"{"seq":3,"t":3,"event":"b"}"#,
    ])
    #expect(lines[1].contains(#""jump":true"#) && lines[1].contains(#""state":["z"]"#))
    #expect(lines[2].contains(#""restored":{"timeline":"\#(id)","seq":9}"#))
    #expect(lines[3].contains(#"{"op":"add","path":"/1","value":"b"}"#))
  }

  @Test("thins entries before the first state")
  func noBeginning() throws {
    let lines = try run([
      #"{"seq":3,"t":0,"event":"a","gap":{"lost":3,"why":"early"}}"#,
      #"{"seq":4,"t":0,"event":"b","state":["b"]}"#,
    ])
    #expect(lines[0] == #"{"seq":3,"t":0,"event":"a","gap":{"lost":3,"why":"early"}}"#)
    #expect(lines[1].contains(#""state":["b"]"#))
  }

  @Test("starts a reducer with its initial state, if it has one")
  func reducer() throws {
    let first = try Replay(of: Cart.self).makeReplayer().begin()
    #expect(first.state.map(Array.init) == Array(#"["basket"]"#.utf8))
  }

  @Test(
    "errors say what to do",
    arguments: [
      (
        ReplayError.Reason.recordedWithoutMake(name: "flow"),
        "To fix, declare a Replayable type whose make() makes it, and record that."
      ),
      (.notCodable(type: "App.Event"), "To fix, make it Codable."),
      (
        .noFirstState(type: "App.Coin"),
        """
        To fix, begin with a recorded state, or add a Replayable type that makes the machine.
        """
      ),
      (.noState, "To fix, begin with a new machine, or load a recorded state."),
      (.stateMissing, "is missing in the entry"),
      (.unencodableState(why: "deep"), "deep"),
    ])
  func sentences(reason: ReplayError.Reason, part: String) {
    #expect(ReplayError(reason, at: 3).description.hasPrefix("entry 3: "))
    #expect(ReplayError(reason).description.contains(part))
  }
}
