import Foundation

extension AwkwardValue {
  /// Single values, and standard types made of them.
  static let scalars: [AwkwardValue] =
    [
      AwkwardValue("true", true),
      AwkwardValue("Int.min", Int.min),
      AwkwardValue("Int64.max", Int64.max),
      AwkwardValue("UInt64.max", UInt64.max),
      AwkwardValue("Int128.min", Int128.min),
      AwkwardValue("UInt128.max", UInt128.max),
      AwkwardValue("all widths", Widths()),
      AwkwardValue("Double least nonzero", Double.leastNonzeroMagnitude),
      AwkwardValue("Double greatest", Double.greatestFiniteMagnitude),
      AwkwardValue("Double of seventeen digits", 0.123_456_789_012_345_67),
      AwkwardValue("Double third", 1.0 / 3),
      AwkwardValue("Double 2^53 + 2", 9_007_199_254_740_994.0),
      AwkwardValue("minus zero", -0.0) { $0.bitPattern == $1.bitPattern },
      AwkwardValue("Float subnormal", Float.leastNonzeroMagnitude),
      AwkwardValue("Float greatest", Float.greatestFiniteMagnitude),
      AwkwardValue("Float 0.1", Float(0.1)),
      AwkwardValue("not a number", Double.nan) { $0.isNaN && $1.isNaN },
      AwkwardValue("infinities", [Double.infinity, -Double.infinity, 0]),
      AwkwardValue("float infinities", [Float.infinity, -Float.infinity, 0]),
      AwkwardValue("empty string", ""),
      AwkwardValue("every control character", String(String.UnicodeScalarView(controls))),
      AwkwardValue("emoji and line separators", "👩‍👩‍👧 \u{2028}\u{2029} \u{10FFFF}"),
      AwkwardValue("decomposed letter", "e\u{301}") { $0.utf8.elementsEqual($1.utf8) },
      AwkwardValue("quotes, slashes and backslashes", #""/\ \n </script>"#),
      AwkwardValue("character", Substitute(text: "ñ")),
      AwkwardValue("nil at the top", Int?.none),
      AwkwardValue("one at the top", Int?.some(1)),
      AwkwardValue("range", 1..<5),
      AwkwardValue("closed range of strings", "a"..."f"),
      AwkwardValue("partial range from", PartialRangeFrom(3)) { $0.lowerBound == $1.lowerBound },
      AwkwardValue("partial range up to", ..<2.5) { $0.upperBound == $1.upperBound },
      AwkwardValue("SIMD", SIMD4<Float>(1, -2.5, 0, 1e-9)),
      AwkwardValue("duration", Duration.milliseconds(-1500)),
    ] + float16

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    private static let float16: [AwkwardValue] = [AwkwardValue("Float16", Float16(1.5))]
  #else
    private static let float16: [AwkwardValue] = []
  #endif

  private static let controls = (0..<0x21).compactMap { Unicode.Scalar($0) } + ["\u{7F}", "\u{80}"]
}

/// Integers of all widths at their limits.
private struct Widths: Codable, Equatable {
  var int8 = Int8.min
  var int16 = Int16.min
  var int32 = Int32.min
  var int64 = Int64.min
  var int128 = Int128.max
  var uint = UInt.max
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var uint128 = UInt128.max
}

/// A type that encodes as the text of something that is not Codable.
private struct Substitute: Codable, Equatable {
  var text: Character

  init(text: Character) { self.text = text }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let string = try container.decode(String.self)
    guard let first = string.first, string.count == 1 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not one character")
    }
    text = first
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(text))
  }
}
