/// What a reducer returned besides its state, as far as a replay can see it.
enum ReturnedEffect {
  /// Whether it starts anything: `nil` for a value that says nothing about that, such as a structure
  /// of a library.
  ///
  /// Optionals and collections may be empty, and enumerations often have a case `none`.
  static func starts(_ value: Any) -> Bool? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { starts($0.value) ?? true } ?? false
    case .collection, .set, .dictionary:
      return mirror.children.contains { starts($0.value) ?? true }
    case .enum:
      return !mirror.children.isEmpty || "\(value)" != "none"
    default: return nil
    }
  }
}
