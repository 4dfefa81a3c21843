/// Which way a search goes.
package enum SearchDirection: String, MessageWord {
  /// To later entries.
  case forward
  /// To earlier entries.
  case backward
}
