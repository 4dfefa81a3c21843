/// The place in the source where an input was sent.
///
/// ```swift
/// let site = CallSite(file: "App/Commute.swift", line: 88)
/// assert(site.description == "App/Commute.swift:88")
/// ```
public struct CallSite: Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID` writes them.
  public let file: StaticString
  /// The line, counted from 1.
  public let line: UInt32

  /// Makes a call site (default: the caller's own file and line).
  @inlinable
  public init(file: StaticString = #fileID, line: UInt32 = #line) {
    self.file = file
    self.line = line
  }

  /// Whether both certainly name the same place. It compares pointers, and a program may contain
  /// the same file name twice, so false does not mean that they differ.
  @inlinable
  @inline(__always)
  package func isIdentical(to other: CallSite) -> Bool {
    line == other.line && file.hasPointerRepresentation && other.file.hasPointerRepresentation
      && file.utf8Start == other.file.utf8Start
  }

  /// `Module/File.swift:line`.
  public var description: String { "\(file):\(line)" }
}
