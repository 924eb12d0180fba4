#pragma once

#include <charconv>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "CTOML.h"
#include "KeyIndex.h"

// Reads what nearly every file of jobs is written in, in one pass and without a tree, some thirty times as fast as
// toml++: headers, bare and plainly quoted keys, strings on one line, whole numbers, decimals, booleans, dates, arrays
// and inline tables. It makes the nodes that toml++ makes, places included, or it gives up: whatever it does not know,
// and whatever is wrong, is toml++'s to judge, so that there is one opinion of what TOML is and one source of errors.
class PlainReader {
 public:
  // `text` must outlive the nodes; strings with escapes are kept in `unescaped`.
  PlainReader(
      std::string_view text, const ctoml_limits &limits, std::vector<ctoml_node> &nodes,
      std::deque<std::string> &unescaped)
      : text(text), limits(limits), nodes(nodes), unescaped(unescaped), index(nodes),
        at(text.data()), end(text.data() + text.size()), line_begin(text.data()) {}

  // Whether the whole text was plain; if not the nodes are good for nothing.
  bool read() {
    nodes.reserve(text.size() / 12 + 16);
    nodes.push_back({});
    nodes[0].kind = CTOML_TABLE;
    uint32_t table = 0;
    while (true) {
      skip_blanks();
      if (at == end) break;
      if (*at == '[') {
        if (!read_header(table)) return false;
      } else if (*at != '#' && *at != '\n') {
        if (!read_pair(table, depth_of_table + 1)) return false;
        skip_blanks();
      }
      if (!end_line()) return false;
      if (nodes.size() > limits.node_count_max) return false;
    }
    return true;
  }

 private:
  ctoml_position position() const {
    return {line, static_cast<uint32_t>(at - line_begin) - continuations + 1};
  }

  void skip_blanks() {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
  }

  void start_line() {
    line++;
    line_begin = at;
    continuations = 0;
  }

  // Takes a comment, if there is one, and the end of the line or of the file.
  bool end_line() {
    if (at < end && *at == '#') {
      while (at < end && *at != '\n') {
        if (!take_character()) return false;
      }
    }
    if (at == end) return true;
    if (*at != '\n') return false;
    at++;
    start_line();
    return true;
  }

  // Takes one character of a comment or a string: no control character, and UTF-8 beyond doubt.
  bool take_character() {
    const uint8_t first = static_cast<uint8_t>(*at);
    if (first < 0x80) {
      if ((first < 0x20 && first != '\t') || first == 0x7F) return false;
      at++;
      return true;
    }
    const int more = first >= 0xC3 && first < 0xE0 ? 1 : first > 0xE0 && first < 0xED ? 2 : first > 0xF0 && first < 0xF4 ? 3 : 0;
    if (more == 0 || end - at <= more) return false;
    // Line and paragraph separators are among these.
    if (first == 0xE2 && static_cast<uint8_t>(at[1]) == 0x80) return false;
    for (int byte = 1; byte <= more; byte++) {
      if ((static_cast<uint8_t>(at[byte]) & 0xC0) != 0x80) return false;
    }
    at += more + 1;
    continuations += static_cast<uint32_t>(more);
    return true;
  }

  struct Key {
    ctoml_text text;
    ctoml_position begin;
    ctoml_position end;
  };

  static bool is_bare(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-'
        || byte == '_';
  }

  bool read_key(Key &key) {
    key.begin = position();
    if (at < end && (*at == '"' || *at == '\'')) {
      if (!read_string(key.text)) return false;
    } else {
      const char *start = at;
      while (at < end && is_bare(*at)) at++;
      if (at == start) return false;
      key.text = text_of(start, at);
    }
    key.end = position();
    return key.text.count <= limits.string_byte_count_max;
  }

  // `[a.b.c]`: a new table, in tables that have headers of their own or are only named in headers.
  bool read_header(uint32_t &table) {
    const ctoml_position begin = position();
    at++;
    uint32_t parent = 0;
    uint32_t depth = 1;
    Key key;
    std::vector<Key> &path = header_path;
    path.clear();
    while (true) {
      if (!read_key(key)) return false;
      path.push_back(key);
      if (at == end || (*at != '.' && *at != ']')) return false;
      if (*at++ == ']') break;
    }
    const ctoml_position stop = position();
    for (size_t part = 0; part < path.size(); part++, depth++) {
      const bool is_last = part + 1 == path.size();
      uint32_t child = index.find(parent, path[part].text);
      if (child != 0 && (is_last || nodes[child].kind != CTOML_TABLE || !nodes[child].is_open)) return false;
      if (child == 0) {
        child = append(parent, &path[part]);
        nodes[child].kind = CTOML_TABLE;
        nodes[child].is_open = 1;
        nodes[child].begin = begin;
        nodes[child].end = stop;
      }
      parent = child;
    }
    if (depth >= limits.depth_max) return false;
    table = parent;
    depth_of_table = depth - 1;
    skip_blanks();
    return true;
  }

  // Makes a node at the end of `parent`, with a key in a table and without one in an array.
  uint32_t append(uint32_t parent, const Key *key) {
    const uint32_t child = static_cast<uint32_t>(nodes.size());
    nodes.emplace_back();
    ctoml_node &node = nodes.back();
    node = {};
    if (key) {
      node.key = key->text;
      node.key_begin = key->begin;
      node.key_end = key->end;
    }
    index.link(parent, child);
    return child;
  }

  // `key = value`.
  bool read_pair(uint32_t table, uint32_t depth) {
    Key key;
    if (!read_key(key)) return false;
    skip_blanks();
    if (at == end || *at != '=' || index.find(table, key.text) != 0) return false;
    at++;
    skip_blanks();
    return read_value(append(table, &key), depth);
  }

  bool read_value(uint32_t node, uint32_t depth) {
    if (at == end) return false;
    nodes[node].begin = position();
    bool is_read = false;
    switch (*at) {
      case '"':
      case '\'': {
        ctoml_text string;
        is_read = read_string(string) && string.count <= limits.string_byte_count_max;
        nodes[node].kind = CTOML_STRING;
        nodes[node].value.string = string;
        break;
      }
      case '[': is_read = depth < limits.depth_max && read_array(node, depth + 1); break;
      case '{': is_read = depth < limits.depth_max && read_inline_table(node, depth + 1); break;
      case 't': is_read = read_boolean(node, "true", 1); break;
      case 'f': is_read = read_boolean(node, "false", 0); break;
      default: is_read = read_number(node); break;
    }
    if (!is_read || nodes.size() > limits.node_count_max) return false;
    nodes[node].end = position();
    return at == end || std::strchr(" \t\n,]}#", *at) != nullptr;
  }

  bool read_string(ctoml_text &string) {
    const char quote = *at++;
    const char *start = at;
    while (at < end && *at != quote) {
      if (*at == '\\' && quote == '"') return read_escaped(start, string);
      if (!take_character()) return false;
    }
    if (at == end) return false;
    string = text_of(start, at);
    at++;
    // Two quotes and a third begin a string of several lines.
    return string.count > 0 || at == end || *at != quote;
  }

  bool read_escaped(const char *start, ctoml_text &string) {
    std::string &built = unescaped.emplace_back(start, at);
    while (at < end && *at != '"') {
      if (*at != '\\') {
        const char *character = at;
        if (!take_character()) return false;
        built.append(character, at);
        continue;
      }
      if (end - at < 2) return false;
      static constexpr std::string_view letters = "btnfr\"\\", meanings = "\b\t\n\f\r\"\\";
      const size_t letter = letters.find(at[1]);
      if (letter == letters.npos) return false;
      built.push_back(meanings[letter]);
      at += 2;
    }
    if (at == end) return false;
    at++;
    string = text_of(built.data(), built.data() + built.size());
    return true;
  }

  bool read_array(uint32_t node, uint32_t depth) {
    nodes[node].kind = CTOML_ARRAY;
    at++;
    while (true) {
      if (!skip_lines()) return false;
      if (at < end && *at == ']') break;
      if (at == end || *at == ',' || !read_value(append(node, nullptr), depth) || !skip_lines()) return false;
      if (at < end && *at == ',') {
        at++;
      } else if (at == end || *at != ']') {
        return false;
      }
    }
    at++;
    return true;
  }

  bool skip_lines() {
    while (true) {
      skip_blanks();
      if (at == end || (*at != '#' && *at != '\n')) return true;
      if (!end_line()) return false;
    }
  }

  bool read_inline_table(uint32_t node, uint32_t depth) {
    nodes[node].kind = CTOML_TABLE;
    at++;
    skip_blanks();
    if (at < end && *at == '}') {
      at++;
      return true;
    }
    while (true) {
      skip_blanks();
      if (!read_pair(node, depth)) return false;
      skip_blanks();
      if (at == end || (*at != ',' && *at != '}')) return false;
      if (*at++ == '}') return true;
    }
  }

  bool read_boolean(uint32_t node, std::string_view word, int64_t value) {
    if (static_cast<size_t>(end - at) < word.size() || std::string_view(at, word.size()) != word) return false;
    at += word.size();
    nodes[node].kind = CTOML_BOOLEAN;
    nodes[node].value.integer = value;
    return true;
  }

  static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

  bool read_number(uint32_t node) {
    const char *start = at;
    if (*at == '-') at++;
    const char *digits = at;
    while (at < end && is_digit(*at)) at++;
    const ptrdiff_t count = at - digits;
    if (count == 0 || count > 18) return false;
    if (at < end && *at == '-' && count == 4 && digits == start) {
      at = start;
      return read_date(node);
    }
    if (*digits == '0' && count > 1) return false;
    if (at < end && *at == '.') {
      const char *fraction = ++at;
      while (at < end && is_digit(*at)) at++;
      if (at == fraction || at - fraction > 18) return false;
      double value = 0;
      const auto [rest, error] = std::from_chars(start, at, value);
      if (error != std::errc() || rest != at) return false;
      nodes[node].kind = CTOML_FLOAT;
      nodes[node].value.number = value;
      return true;
    }
    int64_t value = 0;
    for (const char *digit = digits; digit < at; digit++) value = value * 10 + (*digit - '0');
    nodes[node].kind = CTOML_INTEGER;
    nodes[node].value.integer = digits == start ? value : -value;
    return true;
  }

  // Takes `count` digits, which must make a number from `low` to `high`.
  bool take_digits(int count, int low, int high, int &value) {
    if (end - at < count) return false;
    value = 0;
    for (int digit = 0; digit < count; digit++, at++) {
      if (!is_digit(*at)) return false;
      value = value * 10 + (*at - '0');
    }
    return value >= low && value <= high;
  }

  bool take(char byte) {
    if (at == end || *at != byte) return false;
    at++;
    return true;
  }

  bool read_date(uint32_t node) {
    int year, month, day, hour, minute, second;
    if (!take_digits(4, 0, 9999, year) || !take('-') || !take_digits(2, 1, 12, month) || !take('-')
        || !take_digits(2, 1, 31, day)) {
      return false;
    }
    static constexpr int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day > lengths[month - 1] + (month == 2 && is_leap ? 1 : 0)) return false;
    ctoml_date_time fields = {};
    fields.year = static_cast<uint16_t>(year);
    fields.month = static_cast<uint8_t>(month);
    fields.day = static_cast<uint8_t>(day);
    nodes[node].kind = CTOML_LOCAL_DATE;
    // A blank between date and time is rare, and after a date alone it is not.
    if (at == end || *at != 'T') {
      nodes[node].value.date_time = fields;
      return at == end || *at != ' ' || end - at < 2 || !is_digit(at[1]);
    }
    at++;
    if (!take_digits(2, 0, 23, hour) || !take(':') || !take_digits(2, 0, 59, minute) || !take(':')
        || !take_digits(2, 0, 59, second)) {
      return false;
    }
    fields.hour = static_cast<uint8_t>(hour);
    fields.minute = static_cast<uint8_t>(minute);
    fields.second = static_cast<uint8_t>(second);
    nodes[node].kind = CTOML_LOCAL_DATE_TIME;
    if (!read_fraction(fields) || !read_offset(node, fields)) return false;
    nodes[node].value.date_time = fields;
    return true;
  }

  bool read_fraction(ctoml_date_time &fields) {
    if (!take('.')) return true;
    uint32_t unit = 1'000'000'000;
    while (at < end && is_digit(*at)) {
      unit /= 10;
      if (unit == 0) return false;
      fields.nanosecond += static_cast<uint32_t>(*at++ - '0') * unit;
    }
    return unit < 1'000'000'000;
  }

  bool read_offset(uint32_t node, ctoml_date_time &fields) {
    if (take('Z')) {
      nodes[node].kind = CTOML_OFFSET_DATE_TIME;
    } else if (at < end && (*at == '+' || *at == '-')) {
      const int sign = *at++ == '-' ? -1 : 1;
      int hours, minutes;
      if (!take_digits(2, 0, 23, hours) || !take(':') || !take_digits(2, 0, 59, minutes)) return false;
      fields.offset_minutes = static_cast<int16_t>(sign * (hours * 60 + minutes));
      nodes[node].kind = CTOML_OFFSET_DATE_TIME;
    }
    return true;
  }

  static ctoml_text text_of(const char *begin, const char *end) {
    return {reinterpret_cast<const uint8_t *>(begin), static_cast<size_t>(end - begin)};
  }

  std::string_view text;
  const ctoml_limits &limits;
  std::vector<ctoml_node> &nodes;
  std::deque<std::string> &unescaped;
  KeyIndex index;
  std::vector<Key> header_path;
  const char *at;
  const char *end;
  const char *line_begin;
  uint32_t line = 1;
  // Bytes of this line so far that are no character of their own.
  uint32_t continuations = 0;
  uint32_t depth_of_table = 0;
};
