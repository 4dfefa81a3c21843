import JSONCore
import Testing

@testable import StatesTesting

@Suite("What a failed test says differs")
struct DifferenceTests {
  @Test("is each output by its name, also where all of them are others")
  func outputs() {
    let told = Difference.all(
      from: ["total": 0, "count": 1, "same": true],
      to: ["total": 500, "count": 2, "same": true, "coupon": "x"], below: "outputs")
    #expect(
      told.map(\.text) == [
        "output \"total\" (/outputs/total): expected 0, got 500",
        "output \"count\" (/outputs/count): expected 1, got 2",
        "output \"coupon\" (/outputs/coupon): expected nothing, got \"x\"",
      ])
    let gone = Difference.all(from: ["visits": [1], "handler": "a"], to: [:], below: "outputs")
    #expect(
      gone.map(\.name) == [
        "output \"visits\" (/outputs/visits)", "output \"handler\" (/outputs/handler)",
      ])
    var many = JSON.Object()
    for number in 0..<9 { many["o\(number)"] = true }
    #expect(Difference.all(from: [:], to: .object(many), below: "outputs").count == 5)
  }
}
