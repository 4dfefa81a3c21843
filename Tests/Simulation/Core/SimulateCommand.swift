#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program `simulate`: runs seeds, and says of the first that breaks a rule how to repeat it.
public struct SimulateCommand {
  private var seeds = 100
  private var first: UInt64 = 1
  private var step: UInt64 = 1
  private var only: UInt64?
  private var traces = false
  private var goesOn = false
  private var reduces = true
  /// The file that names the seed that runs.
  private var noteFile: String?
  private var problem: String?

  /// The command that these arguments ask for, the first being the program.
  public init(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    func number() -> UInt64? { rest.popFirst().flatMap { UInt64($0) } }
    while let argument = rest.popFirst() {
      switch argument {
      case "--seeds": if let value = number() { seeds = Int(value) } else { problem = argument }
      case "--seed": if let value = number() { only = value } else { problem = argument }
      case "--first": if let value = number() { first = value } else { problem = argument }
      case "--step": if let value = number() { step = value } else { problem = argument }
      case "--trace": traces = true
      case "--all": goesOn = true
      case "--quiet": reduces = false
      case "--note": if let file = rest.popFirst() { noteFile = file } else { problem = argument }
      default: problem = argument
      }
    }
  }

  /// Runs it; answers the exit status.
  public func run() -> Int32 {
    if let problem {
      print("'\(problem)' is not an option with its value. For help, run: scripts/simulate --help")
      return 64
    }
    if let only { return runOne(only) }
    return runAll()
  }

  private func runOne(_ seed: UInt64) -> Int32 {
    let result = Simulation.run(seed: seed, prints: traces)
    guard let violation = result.violation else {
      print("seed \(seed): passed, \(result.lines) steps, fingerprint \(hex(result.fingerprint))")
      return 0
    }
    if !traces { report(seed, violation) }
    return 1
  }

  private func runAll() -> Int32 {
    var (passed, failed, lines) = (0, 0, 0)
    var rules: [String: [UInt64]] = [:]
    for index in 0..<UInt64(seeds) {
      let seed = first + index * step
      writeSeed(seed)
      let result = Simulation.run(seed: seed)
      lines += result.lines
      var violation = result.violation
      // A run that cannot be repeated is of no use.
      if violation == nil, index % 50 == 0 {
        let again = Simulation.run(seed: seed)
        if again.fingerprint != result.fingerprint {
          violation = Violation(
            rule: "same-seed-same-run", sentence: "A second run of the seed differs from the first."
          )
        }
      }
      guard let violation else {
        passed += 1
        continue
      }
      failed += 1
      rules[violation.rule, default: []].append(seed)
      if goesOn {
        print("seed \(seed): \(violation.rule): \(violation.sentence)")
      } else {
        report(seed, violation)
        break
      }
    }
    for (rule, seeds) in rules.sorted(by: { $0.key < $1.key }) where goesOn {
      print(
        "\(rule): \(seeds.count) seeds, \(seeds.prefix(8).map(String.init).joined(separator: " "))")
    }
    print("\(lines) steps")
    print("\(passed) passed, \(failed) failed")
    return failed == 0 ? 0 : 1
  }

  private func report(_ seed: UInt64, _ violation: Violation) {
    guard reduces else {
      return print("seed \(seed): \(violation.rule): \(violation.sentence)")
    }
    let (plan, result, runs) = Simulation.reduce(
      seed: seed, Plan(seed: seed), rule: violation.rule)
    print("seed \(seed): \(violation.rule): \(result.violation?.sentence ?? violation.sentence)")
    print("reduced in \(runs) runs to:")
    for line in plan.lines { print("  \(line)") }
    print("the last steps:")
    for line in result.last { print("  \(line)") }
    for line in Self.repetition(of: seed) { print(line) }
  }

  /// How to run a seed again: the filter of the suite `simulation`, and the command.
  static func repetition(of seed: UInt64) -> [String] {
    ["again: \(seed)", "To repeat it, run: scripts/simulate --seed \(seed) --trace"]
  }

  /// Writes the seed that runs next to the file, and what was printed to its destination: when the
  /// process traps, nothing else says which seed it was.
  private func writeSeed(_ seed: UInt64) {
    guard let noteFile else { return }
    fflush(nil)
    guard let file = fopen(noteFile, "w") else { return }
    fputs("\(seed)\n", file)
    fclose(file)
  }

  private func hex(_ number: UInt64) -> String { String(number, radix: 16) }
}
