/// A wall clock time in the form of RFC 3339: `2026-03-01T09:30:00.25Z`.
public struct Timestamp: Hashable, Sendable {
  /// Microseconds since the beginning of 1970 in UTC.
  public var microseconds: Int64

  /// Creates a time from microseconds since the beginning of 1970.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Parses RFC 3339 in the years 1 to 9999, also in UTC; `nil` for other text.
  ///
  /// Ignores digits beyond microseconds. A leap second counts as the next second.
  public init?(_ text: String) {
    var digits = Digits(text.utf8[...])
    guard let year = digits.number(4), year > 0, digits.consume("-"),
      let month = digits.number(2), (1...12).contains(month), digits.consume("-"),
      let day = digits.number(2), (1...Self.days(in: month, of: year)).contains(day),
      digits.consume("T") || digits.consume("t") || digits.consume(" "),
      let hour = digits.number(2), hour < 24, digits.consume(":"),
      let minute = digits.number(2), minute < 60, digits.consume(":"),
      let second = digits.number(2), second <= 60,
      let fraction = digits.fraction(), let offset = digits.offset(), digits.isAtEnd
    else { return nil }
    let days = Self.daysSince1970(year: year, month: month, day: day)
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    microseconds = seconds * 1_000_000 + fraction
    // In UTC it may be in another year, which `text` cannot write.
    guard Self.readable.contains(microseconds) else { return nil }
  }

  /// The years 1 to 9999.
  private static let readable =
    daysSince1970(year: 1, month: 1, day: 1) * 86_400_000_000..<daysSince1970(
      year: 10_000, month: 1, day: 1) * 86_400_000_000

  /// The time in UTC, with as many fractional digits as needed.
  public var text: String {
    func padded(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let (seconds, fraction) = Self.floored(microseconds, 1_000_000)
    let (days, rest) = Self.floored(seconds, 86_400)
    let date = Self.date(daysSince1970: days)
    var text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
    text += "T" + padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2)
    text += ":" + padded(rest % 60, 2)
    if fraction > 0 {
      var digits = padded(fraction, 6)
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time in UTC.
  public var description: String { text }
}

extension Timestamp {
  private static func floored(_ value: Int64, _ unit: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return rest < 0 ? (quotient - 1, rest + unit) : (quotient, rest)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Uses years that begin in March, so that the leap day is the last day. 719,468 days are between
  /// March 1 of the year 0 and 1970.
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floored(year, 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(
    daysSince1970 days: Int64
  ) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = (shifted + 2) % 12 + 1
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// Parses a text from the front.
  private struct Digits {
    private var rest: Substring.UTF8View

    init(_ rest: Substring.UTF8View) {
      self.rest = rest
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digit() -> Int64? {
      guard let byte = rest.first, byte &- UInt8(ascii: "0") <= 9 else { return nil }
      rest.removeFirst()
      return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func number(_ count: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// Microseconds; zero without a decimal point.
    mutating func fraction() -> Int64? {
      guard consume(".") else { return 0 }
      guard var value = digit() else { return nil }
      var count = 1
      while let digit = digit() {
        if count < 6 {
          value = value * 10 + digit
          count += 1
        }
      }
      while count < 6 {
        value *= 10
        count += 1
      }
      return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
      if consume("Z") || consume("z") { return 0 }
      let isWest = rest.first == UInt8(ascii: "-")
      guard consume("+") || consume("-"), let hours = number(2), hours < 24, consume(":"),
        let minutes = number(2), minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }
}
