import DebugServer
import Timelines

/// A report of verifications as build servers read it: a test case a timeline.
struct JUnit {
  /// What became of one timeline.
  struct Case {
    /// The file, or the timeline.
    var name: String
    var seconds: Double
    /// The sentence; `nil` when it is the same.
    var failure: String?
    /// Whether it could not be done at all.
    var isError = false
  }

  var cases: [Case] = []

  /// The report as XML.
  var text: String {
    let failures = cases.count { $0.failure != nil && !$0.isError }
    let errors = cases.count { $0.isError }
    let time = cases.reduce(0) { $0 + $1.seconds }
    var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    text += """
      <testsuite name="debugd verify" tests="\(cases.count)" failures="\(failures)" \
      errors="\(errors)" time="\(Self.seconds(time))">

      """
    for item in cases {
      let head = """
          <testcase classname="timelines" name="\(Self.escaped(item.name))" \
        time="\(Self.seconds(item.seconds))"
        """
      guard let failure = item.failure else {
        text += head + "/>\n"
        continue
      }
      let word = item.isError ? "error" : "failure"
      let first = failure.split(separator: "\n").first.map(String.init) ?? failure
      text += """
        \(head)>
            <\(word) message="\(Self.escaped(first))">\(Self.escaped(failure))</\(word)>
          </testcase>

        """
    }
    return text + "</testsuite>\n"
  }

  private static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int64((seconds * 1_000).rounded())
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// Text for XML 1.0, in which no character steers the terminal or changes the direction of the page
  /// that shows the report. What XML cannot hold is replaced.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += "&#\(scalar.value);"
      case _ where PlainText.isHostile(scalar): result += PlainText.escaping(String(scalar))
      case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
