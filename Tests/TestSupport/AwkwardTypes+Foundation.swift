import Foundation

extension AwkwardType {
  static let foundation: [AwkwardType] = [
    AwkwardType("date", Date(timeIntervalSince1970: 1_700_000_000.25)),
    AwkwardType("distant past", Date.distantPast),
    AwkwardType("distant future", Date.distantFuture),
    AwkwardType("dates in an array", [Date(timeIntervalSince1970: 0), nil]),
    AwkwardType("range of dates", Date(timeIntervalSince1970: -1)..<Date.distantFuture),
    AwkwardType("empty data", Data()),
    AwkwardType("data", Data((0...255).map { UInt8($0) })),
    AwkwardType("dictionary of data", ["a": Data([1])]),
    AwkwardType("URL", URL(string: "https://example.org/a%20b?c=d#e")),
    AwkwardType("decimal", Decimal(string: "0.1")),
    AwkwardType("decimal of 38 digits", Decimal(string: "12345678901234567890123456789012345678")),
    AwkwardType("negative small decimal", Decimal(string: "-1.5e-30")),
    AwkwardType("UUID", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
    AwkwardType("CGFloat", CGFloat(1.25)),
    AwkwardType("CGRect", CGRect(x: 1, y: 2, width: 3.5, height: -4)),
    AwkwardType("date components", DateComponents(year: 2024, month: 2, day: 29)),
    AwkwardType("index set", IndexSet([1, 2, 3, 9])),
    AwkwardType("index path", IndexPath(indexes: [1, 0, 7])),
    AwkwardType("locale", Locale(identifier: "de_AT")),
    AwkwardType("character set", CharacterSet(charactersIn: "aé")),
    AwkwardType("date interval", DateInterval(start: .distantPast, duration: 12)),
    AwkwardType("measurement", Measurement(value: 2, unit: UnitLength.meters)),
    AwkwardType("NSRange", NSRange(location: 3, length: 4)),
    AwkwardType("all in one", Mixed()),
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
