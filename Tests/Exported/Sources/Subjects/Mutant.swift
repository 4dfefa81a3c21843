#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which fault is planted: `STATES_MUTANT=basket-3` is the third one of the basket.
enum Mutant {
  private static let chosen: String = getenv("STATES_MUTANT").map { String(cString: $0) } ?? ""

  /// The number of a machine's fault; 0 when there is none.
  static func of(_ machine: String) -> Int {
    guard chosen.hasPrefix(machine + "-") else { return 0 }
    return Int(chosen.dropFirst(machine.count + 1)) ?? 0
  }
}
