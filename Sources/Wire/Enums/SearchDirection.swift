/// The direction of a search.
package enum SearchDirection: String, MessageWord {
  /// To later entries.
  case forward
  /// To earlier entries.
  case backward
}
