/// What an exported spec uses of Quick, in the shapes that it has there: a spec's examples are kept,
/// and run one after the other.
open class QuickSpec {
  public required init() {}

  /// Describes the examples.
  open class func spec() {}

  /// Runs the examples; what they throw comes with their names.
  public static func run() throws {
    QuickWorld.begin()
    spec()
    for example in QuickWorld.end() {
      do { try example.body() } catch { throw QuickFailure(example.name, "\(error)") }
    }
  }
}

/// A failed example.
public struct QuickFailure: Error, CustomStringConvertible {
  public let description: String
  init(_ name: String, _ text: String) { description = "\(name): \(text)" }
}

enum QuickWorld {
  nonisolated(unsafe) static var path: [String] = []
  nonisolated(unsafe) static var examples: [(name: String, body: () throws -> Void)] = []
  static func begin() { (path, examples) = ([], []) }
  static func end() -> [(name: String, body: () throws -> Void)] { examples }
}

public func describe(_ description: String, closure: () -> Void) {
  QuickWorld.path.append(description)
  closure()
  QuickWorld.path.removeLast()
}

public func it(
  _ description: String, file: StaticString = #file, line: UInt = #line,
  closure: @escaping () throws -> Void
) {
  let name = (QuickWorld.path + [description]).joined(separator: ", ")
  QuickWorld.examples.append((name, closure))
}
