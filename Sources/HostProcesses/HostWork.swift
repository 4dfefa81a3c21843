import Timelines
package import Wire

package enum HostWork: Sendable {
  /// Runs events, and returns their entries.
  case reduce(ToRecorder.Reduce)
  /// Reruns recorded entries, and reports how far they match byte for byte.
  case confirm(ToRecorder.Confirm)

  var message: ToRecorder {
    switch self {
    case .reduce(let reduce): .reduce(reduce)
    case .confirm(let confirm): .confirm(confirm)
    }
  }

  /// The seq of the first entry.
  var seq: Int64 {
    switch self {
    case .reduce(let reduce): reduce.seq
    case .confirm(let confirm): confirm.seq
    }
  }

  /// The time limit of the request.
  var milliseconds: Int64? {
    switch self {
    case .reduce(let reduce): reduce.milliseconds
    case .confirm(let confirm): confirm.milliseconds
    }
  }

  /// The memory limit of the request.
  var bytes: Int64? {
    switch self {
    case .reduce(let reduce): reduce.bytes
    case .confirm(let confirm): confirm.bytes
    }
  }
}
