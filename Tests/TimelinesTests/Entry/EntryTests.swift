import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("An entry")
struct EntryTests {
  private static let full = #"""
    {"seq":1042,"t":52811034,"event":{"tappedFavorite":{"id":"bus-7"}},"patch":[{"op":"replace","path":"/favorites/0/on","value":true}],"outputs":[{"op":"add","path":"/syncFavorites","value":["bus-7"]}],"ns":880,"cause":1041,"origin":"app","at":"Commute.swift:88"}
    """#

  @Test("gives the parts of its line")
  func parts() throws {
    let entry = try Entry(reading: Self.full)
    #expect(entry.seq == 1042)
    #expect(entry.t == 52_811_034)
    #expect(entry.event?.text == #"{"tappedFavorite":{"id":"bus-7"}}"#)
    #expect(entry.patch?.text == #"[{"op":"replace","path":"/favorites/0/on","value":true}]"#)
    #expect(entry.outputs?[0]?["path"]?.string == "/syncFavorites")
    #expect(entry.ns == 880)
    #expect(entry.cause == .here(1041))
    #expect(entry.origin == .app)
    #expect(entry.at == "Commute.swift:88")
    #expect(entry.eventName == "tappedFavorite")
    #expect(!entry.isKeyframe && !entry.isThinned && !entry.isFixedPoint)
    #expect(entry.state == nil && entry.gap == nil && entry.was == nil && entry.error == nil)
  }

  @Test("is its bytes: unknown keys, order and spaces inside stay")
  func bytes() throws {
    let line = #"{ "later":[1, 2],"t":5,"event" :"flip","seq":3,"patch":[],"zz":{"seq":9} }"#
    let entry = try Entry(reading: "  \(line) \n")
    #expect(entry.line.text == line)
    #expect(entry.seq == 3)
    #expect(entry.t == 5)
    #expect(try Entry(reading: line) == entry)
  }

  @Test("is the same when it is read out of a message")
  func fromMessage() throws {
    let message = try JSONSlice(#"{"type":"append","entries":[{"seq":0,"t":1},\#(Self.full)]}"#)
    let slice = try #require(message["entries"]?[1])
    let entry = try Entry(reading: slice)
    #expect(entry == (try Entry(reading: Self.full)))
    #expect(entry.at == "Commute.swift:88")
  }

  @Test("of every shape is read from the fixture")
  func shapes() throws {
    let url = repositoryRoot.appending(path: "Tests/Fixtures/timelines/every-shape.timeline")
    let bytes = try [UInt8](Data(contentsOf: url))
    let contents = try TimelineFile.read(bytes)
    let timeline = contents.timeline
    #expect(contents.torn == nil)
    #expect(timeline.entries.map(\.seq) == [0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 15])
    #expect(timeline.keyframes == [0, 2, 5, 6, 7, 8, 11])
    #expect(timeline.thinned == [4...4, 12...13])
    #expect(timeline.lost == [LostRange(6...8, why: "outbox full")])
    #expect(timeline.fixedPoints == [10, 11])
    let other = try #require(TimelineID("0b0d6a1e-93c5-4f0c-8f0e-7c1f6f2f8a10"))
    #expect(timeline[10]?.restored == EntryReference(timeline: other, seq: 77))
    #expect(timeline[11]?.isJump == true)
    #expect(timeline[12]?.error == "trapped")
    #expect(timeline[13]?.omitted == 20_000_000)
    #expect(timeline.moment(at: 13) == .thinned(omitted: 20_000_000))
    #expect(timeline.moment(at: 7) == .lost(LostRange(6...8, why: "outbox full")))
    #expect(timeline[14]?.was == 3)
    #expect(
      timeline[14]?.redacted
        == [
          Redaction(try Pointer("/state/token"), hash: "9f86d081"),
          Redaction(try Pointer("/event")),
        ])
    #expect(timeline[3]?.cause == .elsewhere(EntryReference(timeline: other, seq: 5)))
    #expect(timeline.entries.compactMap { $0.origin?.text }.sorted().first == "app")
    #expect(timeline[2]?.origin == .loop("prices"))
    #expect(timeline[5]?.origin == .other("widget"))
    #expect(timeline.state(at: 15) == ["n": 12, "token": "", "é\"": 1])
    #expect(timeline.outputs(at: 3) == ["side": "Tails"])
    #expect(TimelineFile.bytes(of: timeline) == bytes)
    #expect(timeline.disagreements().isEmpty)
    for entry in timeline.entries where entry.seq != 5 {
      #expect(EntryDraft(entry).line == Array(entry.line.bytes), "entry \(entry.seq)")
    }
  }

  @Test(
    "is named by the only key, the string, or 'type'",
    arguments: [
      (#"{"tapped":{"id":1}}"#, "tapped"), (#""flip""#, "flip"), (#"{"type":"x","n":1}"#, "x"),
      (#"{"type":"x"}"#, "x"), (#"{"type":{}}"#, "type"), (#"{"type":1,"n":1}"#, nil),
      (#"{"a":1,"b":2}"#, nil),
      ("{}", nil), ("7", nil), ("null", nil), ("[1]", nil), (#"{"a\u0062":1}"#, "ab"),
    ] as [(String, String?)])
  func names(event: String, name: String?) throws {
    #expect(Entry.name(of: try JSONSlice(event)) == name)
    #expect(try Entry(reading: #"{"seq":1,"t":0,"event":\#(event)}"#).eventName == name)
  }

  @Test("keeps integers of 64 bits exact")
  func largeIntegers() throws {
    let entry = try Entry(
      reading: #"{"seq":9223372036854775807,"t":9223372036854775806,"event":1,"ns":0}"#)
    #expect(entry.seq == .max)
    #expect(entry.t == .max - 1)
  }
}
