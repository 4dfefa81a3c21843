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

  /// Names a place; without arguments, the place of the call.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt32 = #line) {
    self.file = file
    self.line = line
  }

  /// Whether the other is the same place, as far as the bits tell: one name may lie in a program twice.
  @inlinable
  @inline(__always)
  package func isCertainly(_ other: CallSite) -> Bool {
    line == other.line && file.hasPointerRepresentation && other.file.hasPointerRepresentation
      && file.utf8Start == other.file.utf8Start
  }

  /// `Module/File.swift:line`.
  public var description: String { "\(file):\(line)" }
}
