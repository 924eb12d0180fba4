#pragma once

#include <algorithm>
#include <string_view>

#include "CTOML.h"

// Limits that toml++ 3.3 does not have, checked before it parses: the number of values, and the number of parts of a dotted key.
// toml++ builds a table inside a table for each part and frees them recursively: one long header would exhaust the stack and end the
// process. The scan is in step with toml++ up to the first syntax error, and toml++ stops there.
class KeyScanner {
 public:
  KeyScanner(std::string_view text, uint32_t parts_max) : text(text), parts_max(parts_max) {}

  bool finds_long_key() {
    uint32_t dots = 0;
    while (index < text.size()) {
      const char character = text[index];
      switch (character) {
        case '"':
        case '\'':
          skip_string(character);
          continue;
        case '#':
          while (index < text.size() && text[index] != '\n') index++;
          continue;
        case '.':
          dots++;
          marks++;
          if (dots >= parts_max) return true;
          break;
        case ',': case '=': case '[': case '{':
          marks++;
          dots = 0;
          break;
        case '\n': case ']': case '}':
          dots = 0;
          break;
        default:
          break;
      }
      index++;
    }
    return false;
  }

  // After the scan: no table, array or value stands without a sign of its own before it, and few have two.
  size_t value_count_bound() const { return marks; }

  ctoml_position position() const {
    ctoml_position position = {1, 1};
    for (size_t at = 0; at < index; at++) {
      if (text[at] == '\n') {
        position.line++;
        position.column = 1;
      } else if ((static_cast<uint8_t>(text[at]) & 0xC0) != 0x80) {
        position.column++;
      }
    }
    return position;
  }

 private:
  bool has_three(size_t at, char quote) const {
    return at + 2 < text.size() && text[at] == quote && text[at + 1] == quote && text[at + 2] == quote;
  }

  void skip_string(char quote) {
    const bool is_multiline = has_three(index, quote);
    index += is_multiline ? 3 : 1;
    while (index < text.size()) {
      if (text[index] == '\\' && quote == '"') {
        index += 2;
      } else if (is_multiline && has_three(index, quote)) {
        index += 3;
        // Up to two more quotes belong to the text of the string.
        for (int more = 0; more < 2 && index < text.size() && text[index] == quote; more++) index++;
        return;
      } else if (!is_multiline && text[index] == quote) {
        index++;
        return;
      } else if (!is_multiline && text[index] == '\n') {
        return;
      } else {
        index++;
      }
    }
    index = std::min(index, text.size());
  }

  std::string_view text;
  uint32_t parts_max;
  size_t index = 0;
  size_t marks = 0;
};
