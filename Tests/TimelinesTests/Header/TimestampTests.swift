import Foundation
import TestSupport
import Testing

@testable import Timelines

@Suite("A time")
struct TimestampTests {
  @Test(
    "is read as RFC 3339 writes it",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0),
      ("1969-12-31T23:59:59.999999Z", -1), ("2000-02-29T12:00:00z", 951_825_600_000_000),
      ("2026-03-01 09:30:00.25-00:30", 1_772_359_200_250_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
      ("2026-03-01T09:30:00.1234567Z", 1_772_357_400_123_456),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ] as [(String, Int64)])
  func reads(text: String, microseconds: Int64) {
    #expect(Timestamp(text)?.microseconds == microseconds)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "2026-03-01", "2026-03-01T09:30:00", "2026-3-01T09:30:00Z", "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00",
      "2026-01-01T00:00:00Z ", "0000-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
      "２026-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    ])
  func refuses(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("is written as Foundation writes it, whatever the day")
  func agreesWithFoundation() {
    let seed: UInt64 = 20_260_301
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
      let time = Timestamp(microseconds: seconds * 1_000_000)
      let date = Date(timeIntervalSince1970: Double(seconds))
      // Foundation's calendar is Julian before 1582.
      if seconds > -12_000_000_000 {
        #expect(time.text == date.formatted(.iso8601), "seed \(seed)")
      }
      #expect(Timestamp(time.text) == time, "seed \(seed)")
    }
    #expect(Timestamp(microseconds: 1_500_000).text == "1970-01-01T00:00:01.5Z")
    #expect(Timestamp(microseconds: -1).text == "1969-12-31T23:59:59.999999Z")
  }
}
