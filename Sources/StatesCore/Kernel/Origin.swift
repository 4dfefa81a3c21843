/// The sender of an input: the app, a feedback loop, a timer, or the inspector.
///
/// ```swift
/// assert(Origin.loop("search").rawValue == "loop:search")
/// ```
public struct Origin: RawRepresentable, Hashable, Sendable {
  /// The name as it appears in a recording.
  public let rawValue: String

  /// Names an origin.
  @inlinable
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The app's own code.
  @inlinable public static var app: Origin { Origin(rawValue: "app") }
  /// A timer of the app.
  @inlinable public static var timer: Origin { Origin(rawValue: "timer") }
  /// The inspector, by remote control.
  @inlinable public static var inspector: Origin { Origin(rawValue: "inspector") }

  /// The feedback loop with that name.
  public static func loop(_ name: String) -> Origin { Origin(rawValue: "loop:\(name)") }
}
