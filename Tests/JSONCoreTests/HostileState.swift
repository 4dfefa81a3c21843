import Foundation

/// Parts under keys that stay while their types change.
struct HostileState: Encodable {
  var parts: [HostilePart]

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: AnyKey.self)
    for (index, part) in parts.enumerated() {
      try object.encode(part, forKey: AnyKey(stringValue: "part \(index)"))
    }
    // The same again in an array, and the other way round.
    try object.encode(parts.prefix(2) + parts.suffix(1).reversed(), forKey: "again")
  }
}

/// A part of any of many types, written without saying which.
indirect enum HostilePart: Encodable {
  case numbers([Int])
  case texts([String])
  case rows([[Int]])
  case named([String: [Int]])
  case numbered([Int: String?])
  case set(Set<Int>)
  case text(String)
  case doubles([Double])
  case maybe([Int??])
  case letters([Character])
  case kinds([Kind])
  case payloads([Payload])
  case smalls([Small])
  case wide([Wide])
  case shapes([Shape])
  case links([Link])
  case boxed(Box)
  case anything(any Encodable)
  case list([HostilePart])
  case nothing

  enum Kind: String, Encodable, CaseIterable { case one, two, three }
  enum Payload: Encodable {
    case none
    case byte(UInt8)
    case flag(Bool)
  }
  /// Payloads of every size, with bytes that some cases do not use.
  indirect enum Shape: Encodable {
    case none
    case text(String)
    case list([Int], tag: Int8?)
    case pair(Int8, Int64)
    case again(Shape)
  }

  /// An instance that changes behind the payload.
  enum Link: Encodable {
    case none
    case number(Int)
    case box(Box?)
  }

  struct Wide: Encodable {
    var flag: Bool
    var big: Int128
    var range: Range<Int8>
    var date: Date?
    var kind: Kind?
  }
  final class Box: Encodable {
    var parts: [Int]
    init(_ parts: [Int]) { self.parts = parts }
  }

  init(random: inout StepGenerator) {
    let count = random.pick(0..<4) == 0 ? random.pick(0..<4) : random.pick(30..<90)
    let numbers = (0..<count).map { $0 * 3 }
    switch random.pick(0..<20) {
    case 0: self = .numbers(numbers)
    case 1: self = .texts(numbers.map { "\(random.text())\($0)" })
    case 2: self = .rows(numbers.map { Array(repeating: $0, count: $0 % 50) })
    case 3:
      self = .named(
        Dictionary(uniqueKeysWithValues: numbers.map { ("k\($0)", Array(0..<$0)) }))
    case 4:
      self = .numbered(
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 % 2 == 0 ? "\($0)" : nil) }))
    case 5: self = .set(Set(numbers))
    case 6: self = .text(String(repeating: random.text(), count: count))
    case 7: self = .doubles(numbers.map { _ in random.double() })
    case 8: self = .maybe(numbers.map { Self.maybe($0) })
    case 9: self = .letters(numbers.map { Character(Unicode.Scalar(UInt8(65 + $0 % 26))) })
    case 10: self = .kinds(numbers.map { Kind.allCases[$0 % 3] })
    case 11: self = .payloads(numbers.map { $0 % 2 == 0 ? .byte(UInt8($0 % 256)) : .flag(true) })
    case 12: self = .smalls(numbers.map { Small(a: Int8($0 % 100), b: nil) })
    case 13: self = .wide(numbers.map(Self.wide))
    case 14: self = .boxed(Box(numbers))
    case 15: self = .anything(random.pick(0..<2) == 0 ? numbers : numbers.map { "\($0)" })
    case 16: self = .list((0..<3).map { _ in HostilePart(random: &random) })
    case 17: self = .shapes(numbers.map(Self.shape))
    case 18:
      self = .links(
        numbers.map { $0 % 2 == 0 ? .none : $0 % 5 == 0 ? .number($0) : .box(Box([$0])) })
    default: self = .nothing
    }
  }

  private static func shape(_ number: Int) -> Shape {
    switch number % 5 {
    case 0: .none
    case 1: .text("shape \(number), a text with storage")
    case 2: .list(Array(0..<number % 40), tag: number % 2 == 0 ? 1 : nil)
    case 3: .pair(Int8(number % 100), Int64(number) << 40)
    default: .again(shape(number - 1))
    }
  }

  private static func maybe(_ number: Int) -> Int?? {
    switch number % 4 {
    case 0: .none
    case 1: .some(.none)
    default: number
    }
  }

  private static func wide(_ number: Int) -> Wide {
    Wide(
      flag: number % 2 == 0, big: Int128(number) << 70, range: 0..<Int8(number % 100),
      date: number % 3 == 0 ? nil : Date(timeIntervalSince1970: Double(number)),
      kind: number % 5 == 0 ? nil : .two)
  }

  mutating func mutate(random: inout StepGenerator) {
    switch self {
    case .numbers(var list):
      Self.change(&list, random: &random) { $0 += 1 }
      self = .numbers(list)
    case .texts(var list):
      Self.change(&list, random: &random) { $0 += "!" }
      self = .texts(list)
    case .rows(var list):
      Self.change(&list, random: &random) { $0 = $0.reversed() + [1] }
      self = .rows(list)
    case .named(var members):
      members["k\(random.pick(0..<300))"] = Array(0..<random.pick(0..<60))
      if let key = members.keys.randomElement(using: &random) { members[key]?.append(1) }
      self = .named(members)
    case .numbered(var members):
      members[random.pick(0..<300)] = random.pick(0..<2) == 0 ? .some(nil) : .none
      self = .numbered(members)
    case .set(var set):
      set.formSymmetricDifference([random.pick(0..<300)])
      self = .set(set)
    case .text(let text): self = .text(text + random.text())
    case .doubles(var list):
      let other = random.double()
      Self.change(&list, random: &random) { $0 = other }
      self = .doubles(list)
    case .maybe(var list):
      Self.change(&list, random: &random) { $0 = $0 == nil ? .some(nil) : .none }
      self = .maybe(list)
    case .kinds(var list):
      Self.change(&list, random: &random) { $0 = $0 == .one ? .three : .one }
      self = .kinds(list)
    case .payloads(var list):
      Self.change(&list, random: &random) { $0 = .none }
      self = .payloads(list)
    case .smalls(var list):
      Self.change(&list, random: &random) { $0.b = $0.b == nil ? 4 : nil }
      self = .smalls(list)
    case .wide(var list):
      Self.change(&list, random: &random) { $0.kind = $0.kind == nil ? .one : nil }
      self = .wide(list)
    case .shapes(var list):
      Self.change(&list, random: &random) { shape in
        if case .again(let inner) = shape { shape = inner } else { shape = .again(shape) }
      }
      self = .shapes(list)
    case .links(var list):
      for case .box(let box) in list.prefix(random.pick(0..<30)) { box?.parts.append(1) }
      Self.change(&list, random: &random) { $0 = .box(nil) }
      self = .links(list)
    case .boxed(let box): Self.change(&box.parts, random: &random) { $0 -= 1 }
    case .list(var list):
      for index in list.indices { list[index].mutate(random: &random) }
      self = .list(list)
    case .letters, .anything, .nothing: self = HostilePart(random: &random)
    }
  }

  private static func change<Element>(
    _ list: inout [Element], random: inout StepGenerator, _ change: (inout Element) -> Void
  ) {
    guard !list.isEmpty else { return }
    let place = random.pick(0..<list.count)
    switch random.pick(0..<10) {
    case 0, 1, 2: change(&list[place])
    case 3: list = Array(list[place...] + list[..<place])
    case 4: list += list.prefix(200)
    case 5: list.removeSubrange(place...)
    case 6: list.insert(list[random.pick(0..<list.count)], at: place)
    case 7: list.reverse()
    case 8: for index in list.indices.prefix(40) { change(&list[index]) }
    default: list = list.map { $0 }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .numbers(let list): try container.encode(list)
    case .texts(let list): try container.encode(list)
    case .rows(let list): try container.encode(list)
    case .named(let members): try container.encode(members)
    case .numbered(let members): try container.encode(members)
    case .set(let set): try container.encode(set)
    case .text(let text): try container.encode(text)
    case .doubles(let list): try container.encode(list)
    case .maybe(let list): try container.encode(list)
    case .letters(let list): try container.encode(list.map { String($0) })
    case .kinds(let list): try container.encode(list)
    case .payloads(let list): try container.encode(list)
    case .smalls(let list): try container.encode(list)
    case .wide(let list): try container.encode(list)
    case .shapes(let list): try container.encode(list)
    case .links(let list): try container.encode(list)
    case .boxed(let box): try container.encode(box)
    case .anything(let value): try container.encode(value)
    case .list(let list): try container.encode(list)
    case .nothing: try container.encodeNil()
    }
  }
}
