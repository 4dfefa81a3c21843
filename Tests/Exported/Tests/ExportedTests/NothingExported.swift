// The exported tests are put beside this file, in the copy of this package that is built.
