// Parts of the Swift concurrency runtime that TimelineTesting needs and Swift cannot express: a hook variable, the calling
// convention of the function in it, and one thread-local flag.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A job that is about to be handed to the global executor, and who hands it over.
typedef struct {
  /// The job's address; a number, because it is handed on and never looked into.
  uintptr_t job;
  /// The job's task, 0 for a job that is no task (an actor's turn, a yield). Identifiers ascend, none is reused.
  uint64_t task;
  /// The task that runs on this thread, 0 for none.
  uint64_t enqueuer;
  /// Whether the job that runs on this thread is one of the lane's.
  bool from_lane;
  /// Whether the code that runs on this thread is the main actor's.
  bool from_main_actor;
} timeline_enqueue;

/// Asked on the thread that hands the job over. Returns true when it has taken the job, which it must then run
/// exactly once; false leaves the job to the runtime.
typedef bool (*timeline_divert)(timeline_enqueue enqueue);

/// Puts `divert` before the runtime's global executor, and before a hook that another library has put there.
///
/// Returns false when this runtime has no such hook, or when another library has put its own in its place since.
/// May be called again and again, under a lock of the caller's; the first `divert` stays.
bool timeline_hook_install(timeline_divert divert);

/// The task that runs on this thread, 0 for none.
uint64_t timeline_current_task(void);

/// Says whether this thread is about to run a job of the lane, and returns what it said before.
bool timeline_enter_lane(bool enters);

/// Whether the job that runs on this thread is one of the lane's.
bool timeline_is_on_lane(void);

#pragma clang assume_nonnull end
