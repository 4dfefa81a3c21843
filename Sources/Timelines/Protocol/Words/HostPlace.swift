/// Where a host runs the reducer.
package enum HostPlace: String, MessageWord {
  /// In a process of its own, which may die without harm.
  case process
  /// Inside the live app, on a thread of its own.
  case live
}
