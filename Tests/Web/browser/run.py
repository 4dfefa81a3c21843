"""Runs the browser tests, all of them or those whose name contains the argument.

The last line counts them in the form that scripts/test reads.
"""

import os
import sys
import unittest

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, here)
loader = unittest.TestLoader()
if len(sys.argv) > 1:
    loader.testNamePatterns = [f"*{sys.argv[1]}*"]
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(loader.discover(here))
failed = len({str(test) for test, _ in result.failures + result.errors})
skipped = len(result.skipped)
# A class whose preparation fails has run no test.
passed = max(0, result.testsRun - failed - skipped)
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(failed > 0)
