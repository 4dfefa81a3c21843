public import Timelines

extension Header.Parent {
  /// The predicate that minimizing kept true on this branch; `nil` if there is none, or if this build
  /// cannot parse it.
  public var failure: Predicate? {
    get { failureText.flatMap { try? Predicate($0) } }
    set { failureText = newValue?.description }
  }
}
