import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Fingerprints")
struct FingerprintTests {
  /// The table that the page's tests read as well.
  static let table = repositoryRoot.appending(path: "Tests/Fixtures/fingerprints.json")

  @Test("match the table")
  func fingerprintsMatchTable() throws {
    let rows = try #require(try JSON(parsing: Array(Data(contentsOf: Self.table))).array)
    #expect(rows.count > 20)
    for row in rows {
      let text = try #require(row["text"]?.string)
      let canonical = try #require(row["canonical"]?.string)
      let expected = try #require(row["fingerprint"]?.string)
      let value = try JSON(parsing: text)
      for fingerprint in [
        value.fingerprint, try JSONSlice(validating: Array(text.utf8)).fingerprint,
        try JSON(parsing: canonical).fingerprint, Self.hash(canonical),
      ] {
        let digits = String(fingerprint, radix: 16)
        #expect(
          String(repeating: "0", count: 16 - digits.count) + digits == expected, "\(text)")
      }
    }
  }

  @Test("follow equality")
  func fingerprintsFollowEquality() throws {
    let seed: UInt64 = 0x5EED_0009
    var random = RandomJSON(seed: seed)
    for round in 0..<500 {
      let value = random.value()
      let text = value.plainText
      #expect(try JSON(parsing: text).fingerprint == value.fingerprint)
      #expect(try JSONSlice(validating: Array(text.utf8)).fingerprint == value.fingerprint)
      let other = random.mutation(of: value)
      #expect(
        (other == value) == (other.fingerprint == value.fingerprint), "seed \(seed), round \(round)"
      )
    }
  }

  /// FNV-1a as its authors write it.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }
}
