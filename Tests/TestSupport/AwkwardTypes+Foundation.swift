import Foundation

extension AwkwardValue {
  /// Foundation's types.
  static let foundation: [AwkwardValue] = [
    AwkwardValue("date", Date(timeIntervalSince1970: 1_700_000_000.25)),
    AwkwardValue("distant past", Date.distantPast),
    AwkwardValue("distant future", Date.distantFuture),
    AwkwardValue("dates in an array", [Date(timeIntervalSince1970: 0), nil]),
    AwkwardValue("range of dates", Date(timeIntervalSince1970: -1)..<Date.distantFuture),
    AwkwardValue("empty data", Data()),
    AwkwardValue("data", Data((0...255).map { UInt8($0) })),
    AwkwardValue("dictionary of data", ["a": Data([1])]),
    AwkwardValue("URL", URL(string: "https://example.org/a%20b?c=d#e")),
    AwkwardValue("decimal", Decimal(string: "0.1")),
    AwkwardValue("decimal of 38 digits", Decimal(string: "12345678901234567890123456789012345678")),
    AwkwardValue("negative small decimal", Decimal(string: "-1.5e-30")),
    AwkwardValue("UUID", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
    AwkwardValue("CGFloat", CGFloat(1.25)),
    AwkwardValue("CGRect", CGRect(x: 1, y: 2, width: 3.5, height: -4)),
    AwkwardValue("date components", DateComponents(year: 2024, month: 2, day: 29)),
    AwkwardValue("index set", IndexSet([1, 2, 3, 9])),
    AwkwardValue("index path", IndexPath(indexes: [1, 0, 7])),
    AwkwardValue("locale", Locale(identifier: "de_AT")),
    AwkwardValue("character set", CharacterSet(charactersIn: "aé")),
    AwkwardValue("date interval", DateInterval(start: .distantPast, duration: 12)),
    AwkwardValue("measurement", Measurement(value: 2, unit: UnitLength.meters)),
    AwkwardValue("NSRange", NSRange(location: 3, length: 4)),
    AwkwardValue("all in one", Mixed()),
  ]
}

private struct Mixed: Codable, Equatable {
  var date = Date(timeIntervalSince1970: 12.5)
  var data: Data? = Data([1, 2])
  var noData: Data?
  var url: URL? = URL(string: "file:///tmp/a")
  var decimals: [Decimal] = [1, Decimal(string: "2.50") ?? 0]
  var byDate: [Date: Data] = [Date(timeIntervalSince1970: 1): Data()]
}
