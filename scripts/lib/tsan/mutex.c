// Describes Swift's Mutex on Linux to the thread sanitizer.
//
// A Mutex that is free is locked and unlocked by atomics that are inlined into the program, and seen.
// One that others wait for is locked and unlocked in libswiftSynchronization and the kernel, neither
// of which is built with the sanitizer: it sees no order there, and calls what the Mutex guards a
// race. Loaded before that library, this file wraps its three functions and reports what they do.
// It changes nothing else and suppresses nothing: a race outside a Mutex is still found.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Absent in programs without the sanitizer, the compiler for example.
__attribute__((weak)) extern void __tsan_acquire(void *);
__attribute__((weak)) extern void __tsan_release(void *);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
  next(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT _Bool try_lock(SELF) {
  SWIFT _Bool (*next)(SELF) = (SWIFT _Bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK);
  _Bool locked = next(self);
  if (locked && __tsan_acquire) __tsan_acquire(self);
  return locked;
}

SWIFT void unlock(SELF) {
  SWIFT void (*next)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
