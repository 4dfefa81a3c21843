import Foundation
import Testing

/// A value and the one text that stands for it.
struct CanonicalText: CustomTestStringConvertible, Sendable {
  let text: String
  let value: any Encodable & Sendable

  var testDescription: String { text }

  init(_ value: any Encodable & Sendable, _ text: String) {
    self.text = text
    self.value = value
  }

  static let all: [CanonicalText] = [
    // Not compared with Foundation's encoder, which forgets where a nested container stands.
    .init(
      Paths(),
      #"{"a":["a|-1"],"b":[["b|-1","Index 0|0"],["b|-1","Index 1|1"]],"c":{"x":["c|-1","x|-1"]},"#
        + #""d":{"4":[["d|-1","4|4","Index 0|0"]]},"named":"e","e":{"n":["e|-1","n|-1"]},"#
        + #""f":[["f|-1","Index 0|0"]],"g":["g|-1"],"h":[1,["h|-1","Index 1|1"],"#
        + #"{"i":["h|-1","Index 2|2","i|-1"],"own":["h","Index 2"]},["h"],["h|-1","Index 4|4"]],"#
        + #""super":["super|-1"],"j":[["j|-1","Index 0|0"]],"own":[]}"#),
    .init(
      InterleavedPaths(),
      #"{"first":[{"x":[["first|-1","Index 0|0","x|-1","Index 0|0"]]},["first|-1","Index 1|1"],"#
        + #"["first|-1","Index 2|2"]],"second":{"y":["second|-1","y|-1"],"#
        + #""super":["second|-1","super|-1"],"own":["second"]}}"#),
    .init(1.0, "1"),
    .init(-0.0, "-0"),
    .init([0.0, 0.1, 0.57, -2.5, 100.25], "[0,0.1,0.57,-2.5,100.25]"),
    .init(
      [1e20, 1e21, 123e18, 1.5e21], "[100000000000000000000,1e+21,123000000000000000000,1.5e+21]"),
    .init([1e-6, 1e-7, 1.25e-7, 0.000123], "[0.000001,1e-7,1.25e-7,0.000123]"),
    .init(
      [.leastNonzeroMagnitude, 1.7976931348623157e308] as [Double],
      "[5e-324,1.7976931348623157e+308]"),
    .init(
      [9_007_199_254_740_992, 9_007_199_254_740_994] as [Double],
      "[9007199254740992,9007199254740994]"),
    .init([Float(0.1), 0.3, 16_777_216, 1e10, -0.0], "[0.1,0.3,16777216,10000000000,-0]"),
    .init([Double.nan, .infinity, -.infinity], #"["nan","inf","-inf"]"#),
    .init([Int64.min, .max, 0, -7], "[-9223372036854775808,9223372036854775807,0,-7]"),
    .init([UInt64.max, 10, 99, 100], "[18446744073709551615,10,99,100]"),
    .init(
      "\"\\/\n\t\r\u{8}\u{C}\u{0}\u{1F}\u{7F}\u{2028}é",
      "\"\\\"\\\\/\\n\\t\\r\\b\\f\\u0000\\u001f\u{7F}\u{2028}é\""),
    .init(["b": 1, "a": 2, "B": 3, "ab": 4], #"{"B":3,"a":2,"ab":4,"b":1}"#),
    .init([10: 1, 9: 2, -1: 3], #"{"-1":3,"10":1,"9":2}"#),
    .init([2.5: "b", 1.5: "a", 10: "c"], #"[1.5,"a",10,"c",2.5,"b"]"#),
    .init([Suit.spades: 1, .hearts: 2], #"["hearts",2,"spades",1]"#),
    .init([Named(rawValue: "y"): 1, Named(rawValue: "x"): 2], #"{"x":2,"y":1}"#),
    .init(Set(["b", "a", "c"]), #"["a","b","c"]"#),
    .init(Set([10, 9, 1]), "[1,10,9]"),
    .init([Set([[2], [1]])], "[[[1],[2]]]"),
    .init(Nils(), #"{"b":"b","c":[1,null,3],"d":{"x":null}}"#),
    .init(
      [Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 1_700_000_000)],
      "[1.5,1700000000]"),
    .init([Data([1, 2, 3]), Data([255])], #"["AQID","/w=="]"#),
    .init(
      [URL(string: "https://example.org/a b".replacing(" ", with: "%20"))],
      #"["https://example.org/a%20b"]"#),
    .init([Decimal(string: "12345678901234567890.123456789")], "[12345678901234567890.123456789]"),
    .init([Decimal.nan], #"["nan"]"#),
    .init(
      [UUID(uuidString: "deadbeef-0123-4567-89ab-cdef00112233")],
      #"["DEADBEEF-0123-4567-89AB-CDEF00112233"]"#),
    .init([Event.plain, .pair(x: 1, y: nil)], #"[{"plain":{}},{"pair":{"x":1}}]"#),
    .init(SameKeyTwice(), #"{"a":"three","b":[2]}"#),
    .init(["é", "e\u{301}"], "[\"é\",\"e\u{301}\"]"),
    .init([Int128.max], "[170141183460469231731687303715884105727]"),
    .init([[String: Int]](), "[]"),
    .init([[:], ["a": 1]] as [[String: Int]], #"[{},{"a":1}]"#),
  ]
}
