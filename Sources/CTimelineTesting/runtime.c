// Functions that libswift_Concurrency exports for debuggers and executors (swift/stdlib/public/Concurrency).
#include "CTimelineTesting.h"


#define SWIFT __attribute__((swiftcall))

extern SWIFT uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT void *swift_task_getCurrent(void);

static _Thread_local timeline_origin origin;

uint64_t timeline_task_of_job(uintptr_t job) { return swift_task_getJobTaskId((void *)job); }

uint64_t timeline_current_task(void) {
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

timeline_origin timeline_enter(timeline_origin next) {
  timeline_origin outer = origin;
  origin = next;
  return outer;
}

timeline_origin timeline_current_origin(void) { return origin; }
