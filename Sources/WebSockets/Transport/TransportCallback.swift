internal import CLibWebsockets

/// The one function that the library calls back.
///
/// A free function: a closure written at the top level of a program would belong to the main actor
/// and trap on the loop's thread.
func transportCallback(
  _ wire: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ data: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
  // See OutgoingCall: the handle may be one that was freed. Nothing is missed, for a connection that
  // goes out is known before it begins.
  if reason == LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED, OutgoingCall.isUnderWay { return 0 }
  guard let event = TransportEvent(reason), let wire, let context = lws_get_context(wire),
    let owner = lws_context_user(context)
  else { return 0 }
  let call = TransportCall(
    event: event, wire: Wire(pointer: wire),
    bytes: UnsafeRawBufferPointer(start: data, count: count))
  // Safe: the loop's thread holds the loop until the context has been destroyed, and the library
  // calls back on that thread alone.
  let loop = Unmanaged<Loop>.fromOpaque(owner).takeUnretainedValue()
  return loop.assumeIsolated { $0.handle(call) }
}

/// One call of the library.
///
/// Safe: `@unchecked` because it lives as long as the call and stays on the loop's thread.
struct TransportCall: @unchecked Sendable {
  /// What has happened.
  let event: TransportEvent
  /// Where.
  let wire: Wire
  /// What came with it. Valid until the call returns.
  let bytes: UnsafeRawBufferPointer
}

/// What a call of the library returns.
enum TransportAnswer {
  /// Go on.
  static let proceed: Int32 = 0
  /// End this connection.
  static let end: Int32 = -1
  /// The answer has been written; begin the next exchange.
  static let answered: Int32 = 1
}
