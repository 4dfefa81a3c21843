extension JSONSlice {
  /// The value at a place in the same text, for callers that keep places instead of slices.
  ///
  /// - Precondition: `range` is the range of a slice of this text.
  package func slice(at range: Range<Int>) -> JSONSlice {
    precondition(storage.indices.contains(range.lowerBound) && range.upperBound <= storage.count)
    return JSONSlice(storage, range)
  }
}
