/// Where a host runs the reducer.
package enum HostPlace: String, MessageWord {
  /// In a separate process, which may crash without harm.
  case process
  /// In the live app, on a separate thread.
  case live
}
