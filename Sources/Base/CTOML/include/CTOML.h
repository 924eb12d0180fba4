// A C face on toml++: bytes in, an array of nodes or one error out.
//
// Nothing of C++ crosses this header. A document owns every byte that its nodes and its error point to, and
// `ctoml_document_free` frees them all at once. A document is made in one call and never changes, so any thread
// may read it; nobody may read it after the free.
#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Kind of a node. Tables and arrays have children, the others have a value.
enum ctoml_kind {
  CTOML_TABLE = 0,
  CTOML_ARRAY = 1,
  CTOML_STRING = 2,
  CTOML_INTEGER = 3,
  CTOML_FLOAT = 4,
  CTOML_BOOLEAN = 5,
  CTOML_LOCAL_DATE = 6,
  CTOML_LOCAL_TIME = 7,
  CTOML_LOCAL_DATE_TIME = 8,
  CTOML_OFFSET_DATE_TIME = 9,
};

// A place in the source. Lines and columns count from 1, columns in Unicode scalars; 0 is "nowhere", which is
// where the root table is.
struct ctoml_position {
  uint32_t line;
  uint32_t column;
};

// UTF-8 that belongs to the document, not terminated: a TOML string may hold NUL.
struct ctoml_text {
  const uint8_t *_Nullable bytes;
  size_t count;
};

// The fields of a date, a time or both, within the ranges of the calendar; unused fields are 0.
struct ctoml_date_time {
  uint16_t year;
  uint8_t month;
  uint8_t day;
  uint8_t hour;
  uint8_t minute;
  uint8_t second;
  uint32_t nanosecond;
  int16_t offset_minutes;
};

// One value, with the key under which it stands. `end` is the place after its last character as toml++ has it.
struct ctoml_node {
  enum ctoml_kind kind;
  // Of `child_count` children the first, and from each the way to the next in the file's order; 0 where there is none.
  uint32_t first_child;
  uint32_t child_count;
  uint32_t next_sibling;
  // Empty with a `key_begin` of nowhere in arrays and at the root.
  struct ctoml_text key;
  struct ctoml_position key_begin;
  struct ctoml_position key_end;
  struct ctoml_position begin;
  struct ctoml_position end;
  // By the kind: a string's bytes; an integer's value, 0 or 1 for a boolean; a float's; the fields of dates and times.
  union {
    struct ctoml_text string;
    int64_t integer;
    double number;
    struct ctoml_date_time date_time;
  } value;
};

// Limits of a document. A document that exceeds one of them is refused as a whole.
struct ctoml_limits {
  size_t byte_count_max;
  size_t node_count_max;
  size_t string_byte_count_max;
  // Tables and arrays inside one another, and parts of one dotted key; at most 64, toml++'s bound in this build.
  uint32_t depth_max;
};

// Reason that a document has no nodes.
enum ctoml_failure {
  CTOML_NO_FAILURE = 0,
  // Not TOML; the message is toml++'s.
  CTOML_SYNTAX = 1,
  CTOML_TOO_MANY_BYTES = 2,
  CTOML_TOO_MANY_NODES = 3,
  CTOML_STRING_TOO_LONG = 4,
  CTOML_TOO_DEEP = 5,
  CTOML_OUT_OF_MEMORY = 6,
};

struct ctoml_document;

// Parses `count` bytes at `bytes`, which are not kept. Returns null only when there is no memory for a document
// at all; every other failure is a document without nodes. The caller frees it.
struct ctoml_document *_Nullable ctoml_document_parse(
    const uint8_t *_Nullable bytes, size_t count, struct ctoml_limits limits);

// Reason that there are no nodes, its place, and a message that is empty unless the failure is `CTOML_SYNTAX`.
enum ctoml_failure ctoml_document_failure(const struct ctoml_document *_Nonnull document);
struct ctoml_position ctoml_document_failure_position(const struct ctoml_document *_Nonnull document);
struct ctoml_text ctoml_document_failure_message(const struct ctoml_document *_Nonnull document);

// The nodes, the root table first and children always after their parent; none after a failure.
const struct ctoml_node *_Nullable ctoml_document_nodes(const struct ctoml_document *_Nonnull document);

// Frees the document and all that its nodes point to.
void ctoml_document_free(struct ctoml_document *_Nonnull document);

#ifdef __cplusplus
}
#endif

#endif
