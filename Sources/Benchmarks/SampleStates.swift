import Foundation

/// A typical state of an app with about 1 KB: a screen's list, a filter, and a user.
struct SmallState: Codable, Sendable {
  var user: User?
  var screen: Screen
  var stops: [Stop]
  var favorites: [String: Bool]
  var isLoading: Bool
  var updated: Date
  var query: String
  var page: Int

  struct User: Codable, Sendable {
    var id: UUID
    var name: String
    var email: String?
  }

  enum Screen: Codable, Sendable {
    case list
    case detail(stop: String)
  }

  struct Stop: Codable, Sendable {
    var id: UUID
    var name: String
    var lines: [String]
    var latitude: Double
    var longitude: Double
    var wait: Double
    var isOpen: Bool
  }

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    user = User(id: UUID(from: &random), name: "Zoë Müller", email: "zoe@example.org")
    screen = .detail(stop: "Alexanderplatz")
    stops = (0..<4).map { index in
      Stop(
        id: UUID(from: &random),
        name: "Stop \(index) \"\(["Nord", "Süd", "Ost", "West"][index % 4])\"",
        lines: (0..<3).map { "M\($0 + index)" },
        latitude: (52.3 + Double.random(in: 0..<0.4, using: &random)).rounded(places: 6),
        longitude: (13.1 + Double.random(in: 0..<0.6, using: &random)).rounded(places: 6),
        wait: Self.logNormal(median: 240, using: &random),
        isOpen: Bool.random(using: &random))
    }
    favorites = ["bus-7": true, "tram-2": false, "u-8": true]
    isLoading = false
    updated = Date(timeIntervalSince1970: 1_700_000_000.25)
    query = "departures near me"
    page = 3
  }

  /// Plausible times in seconds: many short ones and a long tail.
  static func logNormal(median: Double, using random: inout SeededGenerator) -> Double {
    // The Box-Muller transform gives a normally distributed number; 0.8 is a plausible spread.
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
    let normal = radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &random))
    return median * exp(0.8 * normal)
  }
}

/// A state of about 1 MB: 10,000 items.
struct LargeState: Codable, Sendable {
  var title: String
  var selection: Int?
  var items: [Item]
  var revision: Int

  struct Item: Codable, Sendable {
    var id: Int
    var name: String
    var count: Int32
    var isDone: Bool
    var price: Double
    var tags: [String]
  }

  init(seed: UInt64, count: Int = 10_000) {
    var random = SeededGenerator(seed: seed)
    title = "Inventory"
    selection = 12
    revision = 1
    items = (0..<count).map { index in
      Item(
        id: index,
        name: "Item \(index) \(UUID(from: &random).uuidString.prefix(13))",
        count: Int32.random(in: 0..<500, using: &random),
        isDone: Bool.random(using: &random),
        price: SmallState.logNormal(median: 20, using: &random).rounded(places: 2),
        tags: ["tag\(index % 7)", "a longer tag \(index % 13)"])
    }
  }

  /// The same state with its own storage for the items, whose contents are shared.
  var unshared: LargeState {
    var copy = self
    copy.items = items.map { $0 }
    return copy
  }

  /// The state after one event, which increases the count of one item.
  func changed(at index: Int) -> LargeState {
    var next = self
    next.items[index].count &+= 1
    next.revision += 1
    return next
  }
}

extension UUID {
  /// An identifier that is the same in every run.
  init(from random: inout SeededGenerator) {
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    // Safe: a UUID consists of sixteen bytes.
    self = bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
  }
}

extension Double {
  func rounded(places: Int) -> Double {
    let scale = pow(10, Double(places))
    return (self * scale).rounded() / scale
  }
}
