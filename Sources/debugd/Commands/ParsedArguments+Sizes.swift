extension ParsedArguments {
  /// The smallest size that timelines may be limited to. `20` for `20G` would delete all of them.
  private static let minimumKeptBytes: Int64 = 1_000_000

  /// How many bytes of timelines the daemon keeps.
  func retainedBytes() throws -> Int64? {
    guard
      let bytes = try amount(
        "retain-bytes", Amounts.bytes(reading:), "a size such as 20G or 500M")
    else { return nil }
    if bytes < Self.minimumKeptBytes { throw keepsNextToNothing("retain-bytes") }
    return bytes
  }

  /// How many bytes of timelines pruning keeps. A unit, or 0, says that so few are meant.
  func prunedBytes() throws -> Int64? {
    guard let bytes = try amount("bytes", Amounts.bytes(reading:), "a size such as 20G")
    else { return nil }
    let hasUnit = value("bytes")?.last?.isLetter == true
    if bytes > 0, bytes < Self.minimumKeptBytes, !hasUnit { throw keepsNextToNothing("bytes") }
    return bytes
  }

  private func keepsNextToNothing(_ name: String) -> ArgumentError {
    let text = value(name) ?? ""
    let lacksUnit = text.last?.isNumber == true && text != "0"
    let remedy = lacksUnit ? "add a unit, such as \(text)G" : "name at least 1M"
    return error(
      "--\(name) \(Escaped.text(text)) would keep next to nothing. To fix, \(remedy).")
  }
}
