import JSONCore
import Testing

/// Containers in every wrong order: the result is right or a typed error, and never slow.
@Suite("Canonical encoder: containers out of turn")
struct EncoderMisuseTests {
  @Test("takes no longer for deeper nested values that misuse containers", arguments: [100, 400])
  func deepTurns(_ depth: Int) throws {
    // Twice as long at each level would never end.
    let bytes = try CanonicalEncoder().encode(Turns(depth: depth))
    #expect(try JSON(parsing: bytes).encoded() == bytes)
    let written = try CanonicalEncoder().encode(WritesIntoParent(depth: depth))
    let list = try JSON(parsing: written)[Pointer("/list")]
    #expect(list == .array(["first", "innermost"]))
  }

  @Test(
    "refuses a container of a value that has returned, without slowing down", arguments: [1, 200])
  func lostContainers(_ depth: Int) throws {
    let keeper = EncoderTests.Keeper()
    _ = try CanonicalEncoder().encode(keeper)
    #expect(throws: EncodingError.self) {
      _ = try CanonicalEncoder().encode(Lost(depth: depth, keeper: keeper, swallows: false))
    }
    // A value that swallows the refusal is encoded without what was refused, whichever engine it
    // has.
    let lost = Lost(depth: depth, keeper: keeper, swallows: true)
    let nothing =
      String(repeating: #"{"c":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
    #expect(String(decoding: try CanonicalEncoder().encode(lost), as: UTF8.self) == nothing)
    var incremental = IncrementalEncoder<Lost>()
    #expect(String(decoding: try incremental.start(lost), as: UTF8.self) == nothing)
  }

  /// Uses a container of an encoding that is over.
  struct Lost: Encodable {
    var depth: Int
    var keeper: EncoderTests.Keeper
    var swallows: Bool

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      guard depth > 0 else {
        if !swallows {
          try keeper.container?.encode(2, forKey: "b")
        } else {
          try? keeper.container?.encode(2, forKey: "b")
        }
        return
      }
      let child = Lost(depth: depth - 1, keeper: keeper, swallows: swallows)
      if swallows {
        try? object.encode(child, forKey: "c")
      } else {
        try object.encode(child, forKey: "c")
      }
    }
  }
}
