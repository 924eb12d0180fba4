// Parts of the Swift concurrency runtime that TimelineTesting needs and Swift cannot express: identifiers of jobs and tasks,
// and one thread-local value.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The task of a job, 0 for a job that is no task (a turn of an actor, a yield). Identifiers ascend, none is reused.
///
/// `job` is the job's address; a number, because it is handed on and never looked into.
uint64_t timeline_task_of_job(uintptr_t job);

/// The task that runs on this thread, 0 for none.
uint64_t timeline_current_task(void);

/// Whether the task that runs on this thread is on an actor that has an executor of its own; the main actor has none.
bool timeline_is_on_custom_executor(void);

/// The job that runs on this thread, as far as test clocks care.
typedef struct {
  /// The family of a job of the test queue, 0 for none.
  uint64_t family;
  /// The number of a job that is only watched, 0 for none.
  uint64_t watched;
  /// Whether it is a yield of a task that polls.
  bool is_poll;
} timeline_origin;

/// Notes the job that this thread is about to run; returns the one before.
timeline_origin timeline_enter(timeline_origin next);

/// The job that runs on this thread.
timeline_origin timeline_current_origin(void);

#pragma clang assume_nonnull end
