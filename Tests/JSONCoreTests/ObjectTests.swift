import JSONCore
import TestSupport
import Testing

@Suite("Objects")
struct ObjectTests {
  @Test("behaves like a list of members after any changes", arguments: [4, 12, 60])
  func behavesLikeListOfMembersAfterAnyChanges(keys: Int) {
    let seed: UInt64 = 0x5EED_0008
    var random = SeededGenerator(seed: seed &+ UInt64(keys))
    var object = JSON.Object()
    var model: [(key: String, value: JSON)] = []
    var other = object
    for step in 0..<3_000 {
      let key = "key \(Int.random(in: 0..<keys, using: &random))"
      let value: JSON = .number(JSON.Number(Int64(step)))
      let place = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        object[key] = value
        if let place { model[place].value = value } else { model.append((key, value)) }
      case 2, 3:
        object[key] = nil
        if let place { model.remove(at: place) }
      case 4:
        // In place: by `_modify`.
        object[key]?.append(value)
        if let place { model[place].value.append(value) }
      default:
        if step % 50 == 0 { other = object }
        #expect(object[key] == place.map { model[$0].value }, "seed \(seed), step \(step)")
      }
      #expect(object.count == model.count && object.isEmpty == model.isEmpty)
      if step % 20 == 0 {
        #expect(object.keys == model.map(\.key), "seed \(seed), step \(step)")
        var turned = JSON.Object()
        for (key, value) in model.reversed() { turned[key] = value }
        #expect(turned == object && turned.hashValue == object.hashValue)
        turned[key] = "another"
        #expect(turned != object)
      }
    }
    #expect(other != object)
  }

  @Test("distinguishes keys that Swift's strings treat as equal")
  func distinguishesKeysThatSwiftStringsTreatAsEqual() {
    var object = JSON.Object()
    object["\u{E9}"] = 1
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    for index in 0..<20 { object["\(index)"] = .null }
    #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2)
  }
}

extension JSON {
  fileprivate mutating func append(_ value: JSON) {
    guard case .array(var array) = self else {
      self = [self, value]
      return
    }
    array.append(value)
    self = .array(array)
  }
}
