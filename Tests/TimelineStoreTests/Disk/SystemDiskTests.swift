import Foundation
import Testing

@testable import TimelineStore

@Suite("The operating system's disk")
struct SystemDiskTests {
  @Test("keeps the locks on a database when creating an existing file")
  func keepsLocks() async throws {
    try await withFolder { folder in
      let path = folder + "/database"
      let database = try Database(path: path, access: .full)
      try database.execute("CREATE TABLE t (x)")
      try database.execute("BEGIN IMMEDIATE")
      let begin = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0).execute('BEGIN IMMEDIATE')"
      #expect(!run("python3", "-c", begin, path))
      // Closing any descriptor of the file would drop this process's locks.
      try SystemDisk().makeFile(path)
      #expect(!run("python3", "-c", begin, path))
      try database.execute("COMMIT")
      #expect(run("python3", "-c", begin, path))
    }
  }

  @Test("does not report inaccessible files as missing")
  func reportsErrors() async throws {
    try await withFolder { folder in
      #expect(try SystemDisk().status(of: folder + "/none") == nil)
      try Data().write(to: URL(filePath: folder + "/file"))
      let error = #expect(throws: DiskError.self) {
        try SystemDisk().status(of: folder + "/file/inside")
      }
      #expect(error?.code == ENOTDIR)
      #expect(throws: DiskError.self) { try SystemDisk().names(in: folder + "/none") }
    }
  }

  @Test("removes folders with their content, and ignores missing ones")
  func removes() async throws {
    try await withFolder { folder in
      let disk = SystemDisk()
      #expect(try disk.makeFolder(folder + "/a"))
      #expect(try !disk.makeFolder(folder + "/a"))
      try disk.write([1, 2, 3], to: folder + "/a/b")
      #expect(try disk.read(folder + "/a/b", upTo: 2) == [1, 2])
      try disk.move(folder + "/a/b", to: folder + "/a/c")
      #expect(try disk.names(in: folder + "/a") == ["c"])
      try disk.remove(folder + "/a")
      try disk.remove(folder + "/a")
      #expect(try disk.names(in: folder).isEmpty)
    }
  }
}
