#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's entry for programs that have a `main` of their own. It has no public header.
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*run)(const uint8_t *data, size_t size));
