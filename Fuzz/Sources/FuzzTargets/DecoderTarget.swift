internal import Foundation
internal import JSONCore

extension FuzzTarget {
  /// Any bytes are refused by a type, or give a value that does not change when written and read again,
  /// from text and from a tree.
  static let decoder = FuzzTarget(name: "decoder") { bytes in
    guard let slice = try? JSONSlice(validating: bytes) else {
      promise(
        (try? CanonicalDecoder().decode(Shapes.self, from: bytes)) == nil,
        "what the scanner refuses is not decoded"
      )
      return
    }
    let tree = slice.value
    check(Shapes.self, bytes, tree)
    check([Shapes].self, bytes, tree)
    check([String: Shapes?].self, bytes, tree)
    check([Int: Double].self, bytes, tree)
    check([Date].self, bytes, tree)
    check([Data].self, bytes, tree)
    check([Decimal].self, bytes, tree)
    check([UInt64].self, bytes, tree)
    check([Float].self, bytes, tree)
    check(Tree.self, bytes, tree)
  }

  private static func check<T: Codable>(_ type: T.Type, _ bytes: [UInt8], _ tree: JSON) {
    let decoder = CanonicalDecoder()
    let value = try? decoder.decode(type, from: bytes)
    let other = try? decoder.decode(type, from: tree)
    promise((value == nil) == (other == nil), "\(type) is read from text and tree alike")
    // Encoding may refuse a distant date, or a number that is not finite.
    guard let value, let other, let text = try? CanonicalEncoder().encode(value) else { return }
    guard let written = try? JSON(parsing: text) else {
      return promise(false, "\(type) is written as JSON")
    }
    guard let sameText = try? CanonicalEncoder().encode(other),
      let sameWritten = try? JSON(parsing: sameText)
    else { return promise(false, "\(type) from a tree is written as JSON") }
    promise(written == sameWritten, "\(type) is the same from text and tree")
    guard let again = try? decoder.decode(type, from: text),
      let rewritten = try? CanonicalEncoder().encode(again)
    else { return promise(false, "\(type) is read again once written") }
    promise((try? JSON(parsing: rewritten)) == written, "\(type) is the same once read again")
  }
}

/// Optional fields of every kind.
private struct Shapes: Codable {
  var flag: Bool?
  var small: Int8?
  var big: UInt64?
  var double: Double?
  var float: Float?
  var text: String?
  var date: Date?
  var data: Data?
  var url: URL?
  var id: UUID?
  var decimal: Decimal?
  var list: [Int]?
  var map: [String: [String]]?
  var choice: Choice?
  var nested: [Shapes]?

  enum Choice: Codable {
    case none
    case one(Int)
    case named(name: String, rest: [Double?])
  }
}

/// A recursive type, as deep as its text.
private indirect enum Tree: Codable {
  case leaf
  case node(Tree, Tree)
}
