import Foundation

enum Arguments {
  case run([Group], asJSON: Bool, isQuick: Bool)
  /// List the groups and their metrics.
  case list([Group])
  case help
  /// Report an error.
  case refuse(String)

  /// Parses the arguments without the program's name. The default is all groups.
  static func parse(_ words: [String], groups: [Group], huge: [Group]) -> Arguments {
    let groups = words.contains("--huge") ? huge : groups
    var chosen: [Group] = []
    var asJSON = false
    var isQuick = false
    for word in words {
      switch word {
      case "--json": asJSON = true
      case "--quick": isQuick = true
      case "--huge": continue
      case "--list": return .list(groups)
      case "--help", "-h": return .help
      case _ where word.hasPrefix("-"):
        return .refuse("There is no option \(word). To see the options, run scripts/bench --help.")
      default:
        guard let group = groups.first(where: { $0.name == word }) else {
          let names = groups.map(\.name).joined(separator: ", ")
          return .refuse("There is no group \"\(word)\". The groups are: \(names).")
        }
        if !chosen.contains(where: { $0.name == group.name }) { chosen.append(group) }
      }
    }
    return .run(
      chosen.isEmpty ? groups.filter(\.runsByDefault) : chosen, asJSON: asJSON, isQuick: isQuick)
  }

  static let usage = """
    usage: scripts/bench [GROUP…] [--json] [--quick] [--huge] [--list] [--help]

    Builds the benchmarks with optimization, and runs the given groups (default: all).

      --json   print one object of metric names and numbers, and nothing else
      --quick  fewer rounds, and a hundredth of the entries: a look, not a measurement
      --huge   a hundred million entries against ten million: ingest, seek, changes, find, storage
      --list   name the groups and their metrics

    What is compared is run in turns within this one process, and medians are taken, so that a
    ratio means the same on a busy machine. Compare ratios between machines, never times.
    """
}

/// Performs the command, and ends the process.
func exit(with arguments: Arguments) -> Never {
  switch arguments {
  case .help:
    print(Arguments.usage)
  case .list(let groups):
    for group in groups {
      print("\(group.name): \(group.summary)")
      for metric in group.metrics { print("  \(metric.name)  \(metric.goalText)") }
    }
  case .refuse(let sentence):
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    Foundation.exit(2)
  case .run(let groups, let asJSON, let isQuick):
    if isQuick {
      let note = "A quick run: fewer rounds, and a hundredth of the entries.\n"
      FileHandle.standardError.write(Data(note.utf8))
    }
    let report = Report(groups: groups, measure: Measure(isQuick: isQuick))
    print(asJSON ? report.json : report.table)
    HugeScale.clean()
  }
  Foundation.exit(0)
}
