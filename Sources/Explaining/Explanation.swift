package import JSONCore
package import Timelines

/// Why an entry is as it is: the values that were read, and what led to them.
package struct Explanation: Sendable {
  /// How it is known that one entry led to another.
  package enum Certainty: Hashable, Sendable {
    /// The recording says so.
    case recorded
    /// It follows from other things that were recorded.
    case inferred
  }

  /// A value that was read.
  package struct Value: Hashable, Sendable {
    /// Its path, as predicates write it.
    package var path: String
    /// The value after the entry; `nil` if it is not known. A missing value is `null`.
    package var value: JSON?
    /// The value before the entry; `nil` if it is not known.
    package var before: JSON?
    /// The entry that set it; `nil` if no recorded entry did.
    package var setter: EntryReference?
    /// Whether it is certain that no later entry set it.
    package var certainty: Certainty
  }

  /// Why an entry led to another one.
  package enum Reason: Hashable, Sendable {
    /// It sent the event, or its effect did.
    case cause
    /// It set a value that was read.
    case value(String)
    /// It set the value that was replaced.
    case earlierValue(String)
  }

  /// An entry that led to another one.
  package struct Link: Hashable, Sendable {
    package var entry: EntryReference
    /// The one that it led to.
    package var target: EntryReference
    package var reason: Reason
    package var certainty: Certainty
  }

  /// The values that the predicate read; without a predicate, those that the entry changed.
  package internal(set) var values: [Value] = []
  /// What led to the entry, the nearest first.
  package internal(set) var links: [Link] = []
  /// Whether there are more values or links than are listed.
  package internal(set) var isCut = false

  /// The entry, and those that led to it, in the order of the links.
  package func entries(of entry: EntryReference) -> [EntryReference] {
    var seen: Set<EntryReference> = []
    return ([entry] + links.map(\.entry)).filter { seen.insert($0).inserted }
  }
}
