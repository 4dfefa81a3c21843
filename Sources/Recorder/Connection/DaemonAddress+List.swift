extension DaemonAddress {
  /// The most daemons that a recorder tries in turn.
  package static let maximumAddresses = 16

  /// Reads addresses that are separated by commas; `nil` if one of them is invalid.
  ///
  /// A path may have commas: only one before another address separates.
  package static func list(_ text: String) -> [DaemonAddress]? {
    var texts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if let last = texts.last, !schemes.contains(where: part.hasPrefix) {
        texts[texts.count - 1] = "\(last),\(part)"
      } else {
        texts.append(String(part))
      }
    }
    let addresses = texts.compactMap(DaemonAddress.init)
    guard addresses.count == texts.count, addresses.count <= maximumAddresses else { return nil }
    return addresses
  }

  private static let schemes = ["unix:", "ws://", "wss://"]
}
