package import Timelines

/// What a host's process is asked to do.
package enum HostWork: Sendable {
  /// Runs events, and gives the entries that come out.
  case reduce(ToRecorder.Reduce)
  /// Runs recorded entries again, and tells how far they come out in the same bytes.
  case confirm(ToRecorder.Confirm)

  /// The message that asks for it.
  var message: ToRecorder {
    switch self {
    case .reduce(let reduce): .reduce(reduce)
    case .confirm(let confirm): .confirm(confirm)
    }
  }

  /// The number of the first entry.
  var seq: Int64 {
    switch self {
    case .reduce(let reduce): reduce.seq
    case .confirm(let confirm): confirm.seq
    }
  }

  /// The time that it may take.
  var milliseconds: Int64? {
    switch self {
    case .reduce(let reduce): reduce.milliseconds
    case .confirm(let confirm): confirm.milliseconds
    }
  }

  /// The memory that it may take.
  var bytes: Int64? {
    switch self {
    case .reduce(let reduce): reduce.bytes
    case .confirm(let confirm): confirm.bytes
    }
  }
}
