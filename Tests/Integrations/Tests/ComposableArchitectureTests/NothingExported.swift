// The exported tests are put next to this file.
