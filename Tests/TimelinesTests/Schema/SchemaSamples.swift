import Foundation

/// Types of events in all the shapes that metadata has.
enum SchemaSamples {
  struct Stop: Codable, Equatable, Sendable {
    var id: String
    var on: Bool?
    var position: Position
    var tags: [String]
  }

  struct Position: Codable, Equatable, Sendable {
    var x: Double
    var y: Float
  }

  enum Mode: String, Codable, Sendable {
    case walk
    case ride = "RIDE"
  }

  enum Level: Int, Codable, Sendable {
    case low = -1
    case high = 7
  }

  enum Commute: Codable, Equatable, Sendable {
    case opened
    case loggedIn(Bool)
    case activatedTab(index: Int)
    case refetched(Stop, at: Date)
    case moved([Stop], to: Mode?, by: Level)
    case closed
  }

  indirect enum Recursive: Codable, Sendable {
    case leaf(Int)
    case node(Recursive, [String: Recursive], next: Link?)
  }

  final class Link: Codable, Sendable {
    let value: Int
    let next: Link?
    init() {
      value = 0
      next = nil
    }
  }

  enum Generic<Payload: Codable & Sendable>: Codable, Sendable {
    case none
    case one(Payload)
    case many([Payload], named: Payload?)
  }

  enum Outer<Value: Codable & Sendable> {
    enum Inner: Codable, Sendable {
      case value(Value)
    }
  }

  enum Single: Codable, Sendable {
    case only(text: String)
  }

  enum Lonely: Codable, Sendable {
    case lonely
  }

  enum Renamed: Codable, Sendable {
    case first(value: Int)
    case second(Int)
    private enum CodingKeys: String, CodingKey {
      case first = "1st"
      case second
    }
    private enum FirstCodingKeys: String, CodingKey { case value = "v" }
  }

  enum Uncodable {
    case plain
    case closure((Int) -> Void)
    case existential(any Sendable, named: any Error)
    case metatype(Any.Type)
    case nested((Int, Int), label: (a: Int, b: String))
  }

  /// Its code would trap on made-up values.
  struct Picky: Codable, Sendable {
    var host: String
    var port: Int
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      let parts = text.split(separator: ":")
      host = String(parts[0])
      port = Int(parts[1])!
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("\(host):\(port)")
    }
  }

  /// Reads other types than its properties have.
  struct Custom: Codable, Sendable {
    var count: Int
    private enum CodingKeys: CodingKey { case count }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(String.self, forKey: .count).count
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode("\(count)", forKey: .count)
    }
  }

  @propertyWrapper
  struct Wrapped: Codable, Sendable {
    var wrappedValue: Int
    init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Wrapping: Codable, Sendable {
    @Wrapped var volume: Int
    var all: Set<String>
  }

  enum Unusual: Codable, Sendable {
    case picky(Picky)
    case custom(Custom)
    case wrapping(Wrapping)
    case values(url: URL, uuid: UUID, data: Data, big: Int128, money: Decimal)
    case maps([String: Int], [Stop.ID: Int], [Mode: Bool])
    case deep(Int??, [[Int?]])
  }

  /// Written in a way of its own.
  enum Typed: Codable, Sendable {
    case started
    private enum Keys: CodingKey { case type }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      _ = try container.decode(String.self, forKey: .type)
      self = .started
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("started", forKey: .type)
    }
  }
}

extension SchemaSamples.Stop {
  struct ID: Codable, Hashable, Sendable { var number: Int }
}
