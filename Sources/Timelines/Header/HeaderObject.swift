import JSONCore

/// Reads an object in a header, with its path for errors.
struct HeaderObject {
  private let slice: JSONSlice
  private let path: String
  private let base: Int

  init(_ slice: JSONSlice, path: String, base: Int) {
    self.slice = slice
    self.path = path
    self.base = base
  }

  subscript(key: String) -> JSONSlice? { slice[key] }

  func has(_ key: String) -> Bool { slice[key] != nil }

  func unknown(except known: [String]) -> UnknownMembers {
    UnknownMembers(of: slice, except: known)
  }

  func object(_ key: String) throws(HeaderError) -> HeaderObject {
    let slice = try required(key, "an object") { $0.kind == .object ? $0 : nil }
    return HeaderObject(slice, path: path + key + ".", base: base)
  }

  func string(_ key: String) throws(HeaderError) -> String? {
    has(key) ? try requiredString(key) : nil
  }

  func requiredString(_ key: String) throws(HeaderError) -> String {
    try required(key, "a string") { $0.string }
  }

  func count(_ key: String, from least: Int64) throws(HeaderError) -> Int64 {
    try required(key, "an integer from \(least) on") { slice in
      slice.int.flatMap { $0 >= least ? $0 : nil }
    }
  }

  func timeline(_ key: String) throws(HeaderError) -> TimelineID {
    try required(key, "a UUID") { slice in slice.string.flatMap { TimelineID($0) } }
  }

  /// The members of an object of strings; empty if it is absent.
  func strings(_ key: String) throws(HeaderError) -> [(String, String)] {
    guard has(key) else { return [] }
    return try required(key, "an object of strings") { slice in
      guard slice.kind == .object else { return nil }
      var strings: [(String, String)] = []
      for member in slice.members {
        guard let string = member.value.string else { return nil }
        strings.append((member.key, string))
      }
      return strings
    }
  }

  func required<Value>(
    _ key: String, _ expected: String, _ read: (JSONSlice) -> Value?
  ) throws(HeaderError) -> Value {
    guard let slice = slice[key] else { throw error(.missing, key) }
    guard let value = read(slice) else { throw error(.expected(expected), key) }
    return value
  }

  func error(_ reason: HeaderError.Reason, _ key: String) -> HeaderError {
    let place = (slice[key] ?? slice).range.lowerBound
    return HeaderError(reason, key: path + key, at: place - base)
  }
}
