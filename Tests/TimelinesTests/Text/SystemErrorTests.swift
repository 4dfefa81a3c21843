import Foundation
import Testing
import Timelines

@Suite("Error numbers of the system")
struct SystemErrorTests {
  @Test(
    "have one piece of advice each",
    arguments: [
      (EACCES, .reading, "To fix, give yourself the permission to read it, or name another path."),
      (
        EPERM, .writing,
        "To fix, give yourself the permission to write there, or name another path."
      ),
      (
        EACCES, .listening,
        "To fix, listen on a port above 1023, or on a path where you can create files."
      ),
      (ENOENT, .reading, "To fix, correct the path."),
      (ENOENT, .writing, "To fix, create the folder first."),
      (ENOSPC, .writing, "To fix, free some space on the disk."),
      (EDQUOT, .writing, "To fix, free some space: your quota on that disk is used up."),
      (EFBIG, .writing, "To fix, raise ulimit -f, or use another file system."),
      (EROFS, .writing, "To fix, name a place on a file system that can be written to."),
      (EIO, .reading, "To fix, check the disk, which reports errors."),
      (EMFILE, .reading, "To fix, raise ulimit -n."),
      (ENFILE, .reading, "To fix, close other programs: the system has too many open files."),
      (ENOMEM, .reading, "To fix, free some memory."),
      (ENAMETOOLONG, .writing, "To fix, use a shorter path."),
      (ELOOP, .reading, "To fix, name the file itself: the path has too many symbolic links."),
      (ENOTDIR, .reading, "To fix, correct the path: a part of it is a file, not a folder."),
      (EISDIR, .reading, "To fix, name a file: this is a folder."),
      (EADDRINUSE, .listening, "To fix, stop the program that uses it, or listen somewhere else."),
      (EADDRNOTAVAIL, .listening, "To fix, listen on an address of this machine."),
    ] as [(Int32, SystemError.Use, String)])
  func advice(code: Int32, use: SystemError.Use, advice: String) {
    let error = SystemError(code)
    #expect(error.sentences(use) == "\(String(cString: strerror(code))). \(advice)")
    let clause = advice.replacing("To fix", with: "to fix").dropLast()
    #expect(error.clause(use) == "\(error.words); \(clause)")
  }

  @Test("have the caller's advice where the path is the cause, and none where nothing is known")
  func others() {
    #expect(
      SystemError(ENOENT).sentences(.reading, pathAdvice: "set PLACE")
        == "No such file or directory. To fix, set PLACE.")
    #expect(
      SystemError(EACCES).clause(.writing, pathAdvice: "set PLACE")
        == "Permission denied; to fix, set PLACE")
    #expect(
      SystemError(ENOSPC).sentences(.writing, pathAdvice: "set PLACE")
        == SystemError(ENOSPC).sentences(.writing))
    #expect(SystemError(EXDEV).sentences(.writing) == "Invalid cross-device link.")
    #expect(SystemError(EXDEV).clause(.writing) == "Invalid cross-device link")
  }

  @Test("that do not exist have words, too", arguments: [-1, 0, 4_096, .min, .max] as [Int32])
  func unknown(code: Int32) { #expect(!SystemError(code).sentences(.reading).isEmpty) }
}
