import Foundation

/// What an exported spec uses of Quick, in the shapes that it has there: a spec's examples are kept,
/// and run one after the other.
open class QuickSpec {
  /// Makes a spec.
  public required init() {}

  /// Describes the examples.
  open class func spec() {}

  /// Runs the examples; what one throws comes with its name.
  public static func run() throws {
    let examples = Examples()
    Examples.current = examples
    spec()
    Examples.current = nil
    for (name, body) in examples.list {
      do { try body() } catch { throw QuickFailure(description: "\(name): \(error)") }
    }
  }
}

/// A failed example.
public struct QuickFailure: Error, CustomStringConvertible {
  /// The example's name, and what it threw.
  public let description: String
}

/// The examples of the spec that describes itself on this thread.
final class Examples {
  var path: [String] = []
  var list: [(name: String, body: () throws -> Void)] = []

  static var current: Examples? {
    get { Thread.current.threadDictionary["quick"] as? Examples }
    set { Thread.current.threadDictionary["quick"] = newValue }
  }
}

/// Describes examples that belong together.
public func describe(_ description: String, closure: () -> Void) {
  Examples.current?.path.append(description)
  closure()
  Examples.current?.path.removeLast()
}

/// Describes one example.
public func it(
  _ description: String, file: StaticString = #file, line: UInt = #line,
  closure: @escaping () throws -> Void
) {
  guard let examples = Examples.current else { return }
  examples.list.append(((examples.path + [description]).joined(separator: ", "), closure))
}
