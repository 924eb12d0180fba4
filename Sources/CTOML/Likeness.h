#pragma once

#include <cstring>

#include "CTOML.h"

// Whether values of documents say the same, wherever they stand.
class Likeness {
 public:
  Likeness(const ctoml_node *left, const ctoml_node *right) : left(left), right(right) {}

  // Whether the tables at `one` of `left` and `other` of `right` have the same keys in the same order, and under each but `key`
  // the same; then gives the child of `other` under `key`, and 0, which is nobody's child, if it has none or is not like that.
  uint32_t child_beside_equals(uint32_t one, uint32_t other, const ctoml_text &key) const {
    if (left[one].child_count != right[other].child_count) return 0;
    uint32_t found = 0;
    uint32_t mine = left[one].first_child, yours = right[other].first_child;
    for (; mine != 0; mine = left[mine].next_sibling, yours = right[yours].next_sibling) {
      if (!is_equal(left[mine].key, right[yours].key)) return 0;
      if (is_equal(right[yours].key, key)) {
        found = yours;
      } else if (!is_equal(mine, yours)) {
        return 0;
      }
    }
    return found;
  }

 private:
  static bool is_equal(const ctoml_text &one, const ctoml_text &other) {
    return one.count == other.count && (one.count == 0 || std::memcmp(one.bytes, other.bytes, one.count) == 0);
  }

  static bool is_equal(const ctoml_date_time &one, const ctoml_date_time &other) {
    return one.year == other.year && one.month == other.month && one.day == other.day && one.hour == other.hour
        && one.minute == other.minute && one.second == other.second && one.nanosecond == other.nanosecond
        && one.offset_minutes == other.offset_minutes;
  }

  // Recurs as deep as tables and arrays lie in one another, which is bounded when they are read.
  bool is_equal(uint32_t one, uint32_t other) const {
    const ctoml_node &mine = left[one], &yours = right[other];
    if (mine.kind != yours.kind) return false;
    switch (mine.kind) {
      case CTOML_STRING: return is_equal(mine.value.string, yours.value.string);
      case CTOML_INTEGER:
      case CTOML_BOOLEAN: return mine.value.integer == yours.value.integer;
      case CTOML_FLOAT: return std::memcmp(&mine.value.number, &yours.value.number, sizeof(double)) == 0;
      case CTOML_LOCAL_DATE:
      case CTOML_LOCAL_TIME:
      case CTOML_LOCAL_DATE_TIME:
      case CTOML_OFFSET_DATE_TIME: return is_equal(mine.value.date_time, yours.value.date_time);
      case CTOML_TABLE:
      case CTOML_ARRAY: break;
    }
    if (mine.child_count != yours.child_count) return false;
    uint32_t next = mine.first_child, beside = yours.first_child;
    for (; next != 0; next = left[next].next_sibling, beside = right[beside].next_sibling) {
      if (!is_equal(left[next].key, right[beside].key) || !is_equal(next, beside)) return false;
    }
    return true;
  }

  const ctoml_node *left;
  const ctoml_node *right;
};
