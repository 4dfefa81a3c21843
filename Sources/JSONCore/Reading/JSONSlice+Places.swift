extension JSONSlice {
  /// A value in a text that was validated when it was stored, for callers that trust the text.
  ///
  /// Reading a text that is not JSON stays inside `range`, but the results are meaningless.
  ///
  /// - Precondition: `range` lies in the text and is not empty.
  package init(checkedBefore text: [UInt8], at range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count && !range.isEmpty)
    self.init(text, range)
  }

  /// The value at a place in the same text, for callers that store places instead of slices.
  ///
  /// - Precondition: `range` is the range of a slice of this text.
  package func slice(at range: Range<Int>) -> JSONSlice {
    precondition(storage.indices.contains(range.lowerBound) && range.upperBound <= storage.count)
    return JSONSlice(storage, range)
  }
}
