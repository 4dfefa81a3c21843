/// What a held machine does with the inputs that are sent to it.
///
/// ```swift
/// let form = StateForm(state: 0)
/// form.hold(.queue(limit: 1))
/// assert(form.apply { $0 += 1 } == .queued)
/// assert(form.apply { $0 += 1 } == .refused)
/// form.resume()
/// assert(form.state == 1)
/// ```
public enum HoldPolicy: Hashable, Sendable {
  /// Inputs are refused.
  case refuse
  /// Inputs wait until the machine is resumed; with `limit` of them waiting, more are refused.
  case queue(limit: Int)
}
