extension AwkwardType {
  /// Classes that pass a decoder to their superclass.
  static let classes: [AwkwardType] = [
    AwkwardType("base class", Animal(name: "a")),
    AwkwardType("superclass in the same object", Dog(name: "d", legs: 4)),
    AwkwardType("superclass under super", Cat(name: "c", lives: 9)),
    AwkwardType("superclass under a key", Bird(name: "b", wings: 2)),
    AwkwardType("superclass in an array", Fish(name: "f", fins: 3)),
    AwkwardType("objects in an array", [Cat(name: "a", lives: 1), Cat(name: "b", lives: 2)]),
  ]
}

// Safe: none of these classes changes after its init, but the compiler can check only final ones.
private class Animal: Codable, Equatable, @unchecked Sendable {
  // Safe: nothing changes after `init`, but the compiler cannot check a class with subclasses.
  let name: String
  init(name: String) { self.name = name }
  var parts: [String] { [name] }
  static func == (left: Animal, right: Animal) -> Bool {
    type(of: left) == type(of: right) && left.parts == right.parts
  }
}

private final class Dog: Animal, @unchecked Sendable {
  let legs: Int
  private enum Keys: CodingKey { case legs }
  init(name: String, legs: Int) {
    self.legs = legs
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    legs = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .legs)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(legs, forKey: .legs)
  }
  override var parts: [String] { super.parts + ["\(legs)"] }
}

private final class Cat: Animal, @unchecked Sendable {
  let lives: Int
  private enum Keys: CodingKey { case lives }
  init(name: String, lives: Int) {
    self.lives = lives
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    lives = try container.decode(Int.self, forKey: .lives)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(lives, forKey: .lives)
    try super.encode(to: container.superEncoder())
  }
  override var parts: [String] { super.parts + ["\(lives)"] }
}

private final class Bird: Animal, @unchecked Sendable {
  let wings: Int
  private enum Keys: CodingKey { case wings, animal }
  init(name: String, wings: Int) {
    self.wings = wings
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    wings = try container.decode(Int.self, forKey: .wings)
    try super.init(from: container.superDecoder(forKey: .animal))
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try super.encode(to: container.superEncoder(forKey: .animal))
    try container.encode(wings, forKey: .wings)
  }
  override var parts: [String] { super.parts + ["\(wings)"] }
}

private final class Fish: Animal, @unchecked Sendable {
  let fins: Int
  init(name: String, fins: Int) {
    self.fins = fins
    super.init(name: name)
  }
  required init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    fins = try container.decode(Int.self)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(fins)
    try super.encode(to: container.superEncoder())
  }
  override var parts: [String] { super.parts + ["\(fins)"] }
}
