package import JSONCore

extension JSON {
  /// The value as checked text, as messages hold it.
  package var slice: JSONSlice {
    get throws(Refusal) {
      do {
        return try JSONSlice(validating: encoded())
      } catch {
        throw Refusal(.failed, "A value cannot be written: \(error).")
      }
    }
  }
}
