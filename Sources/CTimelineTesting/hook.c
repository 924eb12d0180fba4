// The concurrency runtime calls this hook, when it is set, instead of its own global executor
// (swift/stdlib/public/Concurrency/ConcurrencyHooks.cpp). No proposal promises it, so the symbol is weak: a
// runtime without it still links, and TestClock's documentation says what is lost then. The runtime has a hook
// for the main executor too; since Swift 6.2 nothing calls it.
#include "CTimelineTesting.h"

#include <stdatomic.h>
#include <stddef.h>

#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*original)(void *job);
typedef SWIFT void (*hook)(void *job, original original);
// The runtime's SerialExecutorRef: an executor and its witness table.
typedef struct {
  void *identity, *implementation;
} executor;

extern __attribute__((weak)) _Atomic(hook) swift_task_enqueueGlobal_hook;
extern SWIFT uint64_t swift_task_getJobTaskId(void *job);
extern SWIFT void *swift_task_getCurrent(void);
extern SWIFT executor swift_task_getCurrentExecutor(void);
extern SWIFT executor swift_task_getMainExecutor(void);

static _Thread_local bool is_on_lane;
static _Atomic(timeline_divert) divert;
static _Atomic(hook) previous;

bool timeline_is_on_lane(void) { return is_on_lane; }

bool timeline_enter_lane(bool enters) {
  bool outer = is_on_lane;
  is_on_lane = enters;
  return outer;
}

uint64_t timeline_current_task(void) {
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

static bool is_main_actor(void) {
  return swift_task_getCurrentExecutor().identity == swift_task_getMainExecutor().identity;
}

static SWIFT void ask(void *job, original original) {
  timeline_enqueue enqueue = {
      .job = (uintptr_t)job,
      .task = swift_task_getJobTaskId(job),
      .enqueuer = timeline_current_task(),
      .from_lane = is_on_lane,
      .from_main_actor = is_main_actor(),
  };
  timeline_divert taker = divert;
  hook other = previous;
  if (taker && taker(enqueue)) return;
  if (other) other(job, original);
  else original(job);
}

bool timeline_hook_install(timeline_divert taker) {
  if (!&swift_task_enqueueGlobal_hook) return false;
  hook present = swift_task_enqueueGlobal_hook;
  if (present == ask) return true;
  // A library that swaps its own hook in and out leaves null behind; one that is in stays, it may call ours.
  if (divert && present) return false;
  previous = present;
  divert = taker;
  swift_task_enqueueGlobal_hook = ask;
  return true;
}
