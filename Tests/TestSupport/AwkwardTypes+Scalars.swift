import Foundation

extension AwkwardType {
  /// Single values, and standard types made of them.
  static let scalars: [AwkwardType] =
    [
      AwkwardType("true", true),
      AwkwardType("Int.min", Int.min),
      AwkwardType("Int64.max", Int64.max),
      AwkwardType("UInt64.max", UInt64.max),
      AwkwardType("Int128.min", Int128.min),
      AwkwardType("UInt128.max", UInt128.max),
      AwkwardType("all widths", Widths()),
      AwkwardType("Double least nonzero", Double.leastNonzeroMagnitude),
      AwkwardType("Double greatest", Double.greatestFiniteMagnitude),
      AwkwardType("Double of seventeen digits", 0.123_456_789_012_345_67),
      AwkwardType("Double third", 1.0 / 3),
      AwkwardType("Double 2^53 + 2", 9_007_199_254_740_994.0),
      AwkwardType("minus zero", -0.0) { $0.bitPattern == $1.bitPattern },
      AwkwardType("Float subnormal", Float.leastNonzeroMagnitude),
      AwkwardType("Float greatest", Float.greatestFiniteMagnitude),
      AwkwardType("Float 0.1", Float(0.1)),
      AwkwardType("not a number", Double.nan) { $0.isNaN && $1.isNaN },
      AwkwardType("infinities", [Double.infinity, -Double.infinity, 0]),
      AwkwardType("float infinities", [Float.infinity, -Float.infinity, 0]),
      AwkwardType("empty string", ""),
      AwkwardType("every control character", String(String.UnicodeScalarView(controls))),
      AwkwardType("emoji and line separators", "👩‍👩‍👧 \u{2028}\u{2029} \u{10FFFF}"),
      AwkwardType("decomposed letter", "e\u{301}") { $0.utf8.elementsEqual($1.utf8) },
      AwkwardType("quotes, slashes and backslashes", #""/\ \n </script>"#),
      AwkwardType("character", Substitute(text: "ñ")),
      AwkwardType("nil at the top", Int?.none),
      AwkwardType("one at the top", Int?.some(1)),
      AwkwardType("range", 1..<5),
      AwkwardType("closed range of strings", "a"..."f"),
      AwkwardType("partial range from", PartialRangeFrom(3)) { $0.lowerBound == $1.lowerBound },
      AwkwardType("partial range up to", ..<2.5) { $0.upperBound == $1.upperBound },
      AwkwardType("SIMD", SIMD4<Float>(1, -2.5, 0, 1e-9)),
      AwkwardType("duration", Duration.milliseconds(-1500)),
    ] + float16

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    private static let float16: [AwkwardType] = [AwkwardType("Float16", Float16(1.5))]
  #else
    private static let float16: [AwkwardType] = []
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

/// A type that encodes as the text of a value that is not Codable.
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
