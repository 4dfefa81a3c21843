import Timelines

/// Numbers for people: bytes, counts and times.
enum Amounts {
  /// `1.5 MB`; powers of 1,000, as disks are sold.
  static func bytes(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1000
      // Before rounding would show 1000.
      if value < 999.5 || unit == "TB" {
        return (value < 9.95 ? fixed(value, 1) : fixed(value, 0)) + " " + unit
      }
    }
    return "\(count) B"
  }

  /// `10,004,211`.
  static func count(_ number: Int64) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `1 timeline`, `2,000 entries`.
  static func count(_ number: Int64, _ one: String, _ many: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `441 µs`, `52.811 s`, `1:02:03`, from microseconds.
  static func duration(_ microseconds: Int64) -> String {
    if 1..<1_000 ~= microseconds { return "\(microseconds) µs" }
    if 1_000..<100_000 ~= microseconds { return fixed(Double(microseconds) / 1_000, 1) + " ms" }
    let seconds = microseconds / 1_000_000
    guard seconds >= 60 else { return fixed(Double(microseconds) / 1_000_000, 3) + " s" }
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    let shown = parts[0] > 0 ? parts : Array(parts.dropFirst())
    return shown.enumerated().map { $0 == 0 ? "\($1)" : padded($1, 2) }.joined(separator: ":")
  }

  /// A number with that many digits behind the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = [1.0, 10, 100, 1000][digits]
    let scaled = (value * scale).rounded()
    // Beyond what an integer holds, digits mean nothing.
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let whole = Int64(scaled)
    guard digits > 0 else { return "\(whole)" }
    let sign = whole < 0 ? "-" : ""
    let magnitude = whole.magnitude
    return "\(sign)\(magnitude / UInt64(scale)).\(padded(Int64(magnitude % UInt64(scale)), digits))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// `20G`, `512M`, `1000`: bytes as options give them.
  static func bytes(reading text: String) -> Int64? {
    let units: [Character: Int64] = [
      "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000,
    ]
    var digits = text[...]
    var unit: Int64 = 1
    if let last = digits.last?.lowercased().first, let known = units[last] {
      unit = known
      digits = digits.dropLast()
    }
    guard let number = Int64(digits), number >= 0 else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }

  /// `30d`, `12h`, `90m`, `45s`: seconds as options give them.
  static func seconds(reading text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()),
      number >= 0
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }
}
