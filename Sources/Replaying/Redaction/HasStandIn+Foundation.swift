#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: HasStandIn {
  /// The beginning of 1970.
  public static var standIn: Date { Date(timeIntervalSince1970: 0) }
  /// A second later.
  public static var otherThanStandIn: Date? { Date(timeIntervalSince1970: 1) }
}

extension Data: HasStandIn {
  /// No bytes.
  public static var standIn: Data { Data() }
  /// One byte.
  public static var otherThanStandIn: Data? { Data([0]) }
}

extension Decimal: HasStandIn {
  /// Zero.
  public static var standIn: Decimal { 0 }
  /// One.
  public static var otherThanStandIn: Decimal? { 1 }
}

extension UUID: HasStandIn {
  /// The UUID with only zeros.
  public static var standIn: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  /// Another UUID.
  public static var otherThanStandIn: UUID? {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  }
}

extension URL: HasStandIn {
  /// `about:blank`, because no URL is empty.
  public static var standIn: URL { otherwise("about:blank") }
  /// The root folder.
  public static var otherThanStandIn: URL? { URL(filePath: "/") }

  private static func otherwise(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }
}
