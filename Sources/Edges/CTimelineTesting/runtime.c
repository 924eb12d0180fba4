// Functions that libswift_Concurrency exports for debuggers and executors (swift/stdlib/public/Concurrency).
#include "CTimelineTesting.h"

#define SWIFT __attribute__((swiftcall))

extern SWIFT uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT void *swift_task_getCurrent(void);

/// A serial executor: an object, 0 for none in particular, and its witness table, 0 for an actor of the runtime.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} executor;

extern SWIFT executor swift_task_getCurrentExecutor(void);
extern SWIFT bool swift_task_isMainExecutor(executor executor);

static _Thread_local timeline_origin origin;

uint64_t timeline_task_of_job(uintptr_t job) { return swift_task_getJobTaskId((void *)job); }

uint64_t timeline_current_task(void) {
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

bool timeline_is_on_custom_executor(void) {
  executor current = swift_task_getCurrentExecutor();
  // The lowest bits of the witness table are flags.
  bool is_custom = current.identity && (current.implementation & ~(uintptr_t)7);
  return is_custom && !swift_task_isMainExecutor(current);
}

timeline_origin timeline_enter(timeline_origin next) {
  timeline_origin outer = origin;
  origin = next;
  return outer;
}

timeline_origin timeline_current_origin(void) { return origin; }
