#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's entry point for programs with their own `main`. It has no public header.
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*run)(const uint8_t *data, size_t size));
