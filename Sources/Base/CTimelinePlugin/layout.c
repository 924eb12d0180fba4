// Published layout of the plugin interface: a change that moves a member must not compile. Checked where pointers have
// eight bytes, which is every machine that timelined is built for.
#include "timelined_plugin.h"

#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member " has moved")
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has changed its size")

#if UINTPTR_MAX == UINT64_MAX

SIZE(bool, 1);
SIZE(timelined_status, 4);

SIZE(timelined_host, 136);
AT(timelined_host, struct_size, 0);
AT(timelined_host, abi_oldest, 4);
AT(timelined_host, abi_newest, 8);
AT(timelined_host, reserved, 12);
AT(timelined_host, log, 16);
AT(timelined_host, report_progress, 24);
AT(timelined_host, is_cancelled, 32);
AT(timelined_host, set_result, 40);
AT(timelined_host, set_error, 48);
AT(timelined_host, set_cursor, 56);
AT(timelined_host, parameter_kind, 64);
AT(timelined_host, parameter_json, 72);
AT(timelined_host, parameter_text, 80);
AT(timelined_host, parameter_integer, 88);
AT(timelined_host, parameter_number, 96);
AT(timelined_host, parameter_boolean, 104);
AT(timelined_host, parameter_count, 112);
AT(timelined_host, parameter_key, 120);
AT(timelined_host, current_mode, 128);

SIZE(timelined_opening, 48);
AT(timelined_opening, struct_size, 0);
AT(timelined_opening, is_rehearsal, 4);
AT(timelined_opening, host, 8);
AT(timelined_opening, call, 16);
AT(timelined_opening, parameters, 24);
AT(timelined_opening, job, 32);
AT(timelined_opening, data, 40);

SIZE(timelined_context, 152);
AT(timelined_context, struct_size, 0);
AT(timelined_context, attempt, 4);
AT(timelined_context, host, 8);
AT(timelined_context, call, 16);
AT(timelined_context, parameters, 24);
AT(timelined_context, job, 32);
AT(timelined_context, run_key, 40);
AT(timelined_context, nominal, 48);
AT(timelined_context, actual, 56);
AT(timelined_context, deadline, 64);
AT(timelined_context, entry_count, 72);
AT(timelined_context, cadence, 80);
AT(timelined_context, mode, 84);
AT(timelined_context, is_rehearsal, 88);
AT(timelined_context, previous_status, 92);
AT(timelined_context, previous_result, 96);
AT(timelined_context, cursor, 104);
AT(timelined_context, cursor_length, 112);
AT(timelined_context, upstream, 120);
AT(timelined_context, fencing_token, 128);
AT(timelined_context, moved_from, 136);
AT(timelined_context, moved_from_count, 144);

SIZE(timelined_plugin, 96);
AT(timelined_plugin, struct_size, 0);
AT(timelined_plugin, abi_oldest, 4);
AT(timelined_plugin, abi_newest, 8);
AT(timelined_plugin, reserved, 12);
AT(timelined_plugin, name, 16);
AT(timelined_plugin, version, 24);
AT(timelined_plugin, summary, 32);
AT(timelined_plugin, parameters_schema, 40);
AT(timelined_plugin, data, 48);
AT(timelined_plugin, open, 56);
AT(timelined_plugin, run, 64);
AT(timelined_plugin, cancel, 72);
AT(timelined_plugin, close, 80);
AT(timelined_plugin, instances_max, 88);

#endif
