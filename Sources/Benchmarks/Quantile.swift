extension [Double] {
  /// The value below which the given part of the values lies.
  func quantile(_ part: Double) -> Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
