import unittest

from planted import Planted

CHECK = "check-imports"

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "planted",
  targets: [
    .target(name: "StatesCore"%s),
    .target(name: "JSONCore"),
    .target(name: "Timelines", dependencies: ["JSONCore"]),
    .testTarget(name: "AnyTests", dependencies: ["StatesCore", "Timelines"]),
  ]
)
"""


class SwiftImports(Planted):
    tables = ("scripts/import-layers.txt",)

    def test_edges_of_the_table_are_allowed(self):
        self.plant("Sources/Timelines/A.swift", "public import JSONCore\nimport Swift\n")
        self.plant("Sources/StatesCore/A.swift", "import Synchronization\n")
        self.plant("Sources/Benchmarks/A.swift", "import Foundation\nimport DebugServer\n")
        self.plant("Tests/ATests/A.swift", "import Testing\n@testable import DebugServer\n"
                   "import TestSupport\n")
        self.plant("Tests/TestSupport/A.swift", "import Foundation\n")
        self.plant("Examples/Coin/main.swift", "import Recorder\nimport Foundation\n")
        self.plant("Sources/Timelines/Timelines.docc/step.swift", "import Recorder\n")
        self.assertClean(CHECK)

    def test_an_edge_upwards_is_refused_however_it_is_written(self):
        for number, line in enumerate((
            "import Timelines",
            "public import Timelines",
            "@testable import Timelines",
            "@_spi(Testing) @preconcurrency internal import Timelines",
            "@testable\nimport Timelines",
            "import struct Timelines.Entry",
            "import Timelines.Entry",
            "#if os(Linux)\n  private import Timelines\n#endif",
            "import Swift; import Timelines",
            "/* a comment /* in one */ */ import Timelines",
        )):
            with self.subTest(line=line):
                self.plant("Sources/JSONCore/A.swift", line + "\n")
                lines, status = self.check(CHECK)
                self.assertEqual((len(lines), status), (1, 1), lines)
                self.assertIn("JSONCore may not import Timelines", lines[0])

    def test_each_target_lists_the_modules_of_the_toolchain_it_may_import(self):
        self.plant("Sources/StatesCore/A.swift", "import Foundation\n")
        self.plant("Sources/JSONCore/B.swift", "import FoundationEssentials\n")
        self.assertRefused(CHECK, "Sources/StatesCore/A.swift:1", "Sources/JSONCore/B.swift:1")

    def test_a_folder_uses_the_types_of_its_row_alone(self):
        self.plant("Sources/StatesCore/Kernel/Kernel.swift", "package final class Kernel {}\n")
        self.plant("Sources/StatesCore/Form/Form.swift",
                   "public struct Form { var kernel: Kernel }\n// Chart\n")
        self.plant("Sources/StatesCore/Statechart/Chart.swift",
                   "public struct Chart { var text = \"Form\" }\n")
        self.assertClean(CHECK)
        self.plant("Sources/StatesCore/Form/Form+Chart.swift", "extension Form {\n  var a: Chart { }\n}\n")
        self.plant("Sources/StatesCore/Kernel/Kernel+Form.swift", "extension Form {}\n")
        self.plant("Sources/StatesCore/Other/A.swift", "")
        self.assertRefused(
            CHECK, "Sources/StatesCore/Form/Form+Chart.swift:2",
            "Sources/StatesCore/Kernel/Kernel+Form.swift:1", "Sources/StatesCore/Other/A.swift:1")

    def test_a_file_with_a_row_may_import_more_than_its_target(self):
        with open(self.root + "/scripts/import-layers.txt", "a", encoding="utf-8") as table:
            table.write("file | Sources/JSONCore/Dates.swift | | FoundationEssentials\n")
        self.plant("Sources/JSONCore/Dates.swift", "import FoundationEssentials\n")
        self.plant("Sources/JSONCore/Other.swift", "\nimport FoundationEssentials\n")
        self.assertRefused(CHECK, "Sources/JSONCore/Other.swift:2")

    def test_comments_and_strings_import_nothing(self):
        self.plant("Sources/StatesCore/A.swift",
                   '// import Timelines\n/*\nimport Recorder\n*/\n'
                   'let text = """\nimport Foundation\n"""\n')
        self.assertClean(CHECK)

    def test_examples_import_only_the_core_and_the_recorder(self):
        self.plant("Examples/Coin/main.swift", "import DebugServer\n")
        self.assertRefused(CHECK, "Examples/Coin/main.swift:1")

    def test_an_unknown_target_needs_a_layer(self):
        self.plant("Sources/Sidecar/A.swift", "let a = 1\n")
        self.assertRefused(CHECK, "Sources/Sidecar/A.swift:1")

    def test_dependencies_of_the_manifest_are_edges_too(self):
        self.plant("Package.swift", MANIFEST % "")
        self.assertClean(CHECK)
        self.plant("Package.swift", MANIFEST % ', dependencies: ["JSONCore"]')
        self.assertRefused(CHECK, "Package.swift:6")

    def test_the_table_names_only_lower_modules(self):
        self.plant("scripts/import-layers.txt", "swift | A | B C |\nswift | B | |\n"
                   "file | Sources/A/Gone.swift | | Foundation\n")
        lines, status = self.check(CHECK)
        self.assertEqual((len(lines), status), (3, 1), lines)


class WebImports(Planted):
    tables = ("scripts/import-layers.txt",)

    def setUp(self):
        super().setUp()
        for path in ("base/a", "wire/a", "model/state/a", "feed/a", "elements/a", "page/a", "app"):
            self.plant(f"web/{path}.js", "export const a = 1;\n")

    def test_edges_of_the_table_are_allowed(self):
        self.plant("web/model/state/b.js",
                   "import { a } from '../../wire/a.js';\nimport './a.js';\n"
                   "export * from \"../../base/a.js\";\nimport {\n  a as b,\n} from '/base/a.js';\n")
        self.plant("web/app.js", "import './elements/a.js';\nawait import('./feed/a.js');\n")
        self.plant("web/page/b.js", "import '../elements/a.js';\nimport '../model/state/a.js';\n")
        self.assertClean(CHECK)

    def test_an_edge_upwards_is_refused_however_it_is_written(self):
        for line in (
            "import { a } from '../../elements/a.js';",
            "import '../../elements/a.js';",
            "export { a } from \"../../elements/a.js\";",
            "import {\n  a,\n} from '../../elements/a.js';",
            "const page = await import('../../elements/a.js');",
            "const page = import(`../../elements/a.js`);",
            "const re = /[/'\"]/; import('/elements/a.js');",
        ):
            with self.subTest(line=line):
                self.plant("web/model/state/b.js", line + "\n")
                lines, status = self.check(CHECK)
                self.assertEqual((len(lines), status), (1, 1), lines)
                self.assertIn("web/model/state may not import web/elements", lines[0])

    def test_folders_of_the_model_have_no_cycles(self):
        self.plant("web/model/timeline/b.js", "export const b = 1;\n")
        self.plant("web/model/state/b.js", "import '../timeline/b.js';\n")
        self.assertClean(CHECK)
        self.plant("web/model/timeline/b.js", "import '../state/a.js';\n")
        lines, status = self.check(CHECK)
        self.assertEqual((len(lines), status), (1, 1), lines)
        self.assertIn("web/model/timeline may not import web/model/state", lines[0])

    def test_every_module_of_the_model_is_in_a_folder(self):
        self.plant("web/model/b.js", "export {};\n")
        self.assertRefused(CHECK, "web/model/b.js:1")

    def test_modules_of_one_layer_do_not_import_each_other(self):
        self.plant("web/feed/b.js", "import '../elements/a.js';\n")
        self.plant("web/elements/b.js", "import '../feed/a.js';\n")
        self.assertRefused(CHECK, "web/feed/b.js:1", "web/elements/b.js:1")

    def test_an_import_that_cannot_be_resolved_is_refused(self):
        self.plant("web/base/b.js", "import 'lit';\nimport './gone.js';\nimport(name);\n"
                   "import('https://example.org/a.js');\nimport '../../a.js';\n")
        self.plant("a.js", "")
        self.assertRefused(CHECK, *(f"web/base/b.js:{line}" for line in range(1, 6)))

    def test_comments_and_strings_import_nothing(self):
        self.plant("web/base/b.js", "// import '../app.js';\n/* import('../app.js') */\n"
                   "const text = \"export it from 'there'\";\n")
        self.assertClean(CHECK)

    def test_an_unknown_folder_needs_a_layer(self):
        self.plant("web/vendor/a.js", "export {};\n")
        self.assertRefused(CHECK, "web/vendor/a.js:1")


if __name__ == "__main__":
    unittest.main()
