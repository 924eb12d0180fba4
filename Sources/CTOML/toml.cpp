#include "CTOML.h"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

// toml++ recurses once for each array or inline table inside another; 64 of its frames fit any thread's stack.
#define TOML_MAX_NESTED_VALUES 64
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

static_assert(TOML_EXCEPTIONS == 0, "a syntax error is a value here, not an exception");

struct ctoml_document {
  toml::table root;
  std::vector<ctoml_node> nodes;
  enum ctoml_failure failure = CTOML_NO_FAILURE;
  ctoml_position failure_position = {0, 0};
  std::string failure_message;
};

namespace {

ctoml_position position_of(const toml::source_position &position) {
  return {position.line, position.column};
}

ctoml_text text_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

bool is_before(const ctoml_position &left, const ctoml_position &right) {
  return left.line != right.line ? left.line < right.line : left.column < right.column;
}

// Finds the first dotted key with more than `parts_max` parts, before toml++ sees it: toml++ 3.3 builds a table
// inside a table for each part without a bound and then frees them recursively, so that one long header would
// exhaust the stack. The scan is in step with toml++ up to the first syntax error, and toml++ stops there.
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
          if (dots >= parts_max) return true;
          break;
        case '\n': case ',': case '=': case '[': case ']': case '{': case '}':
          dots = 0;
          break;
        default:
          break;
      }
      index++;
    }
    return false;
  }

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
};

// Lays the tree out as one array, breadth first, so that the children of a node stand in a row.
class Flattener {
 public:
  Flattener(ctoml_document &document, const ctoml_limits &limits) : document(document), limits(limits) {}

  void run() {
    append(document.root, {}, nullptr, 0);
    for (size_t index = 0; index < sources.size(); index++) {
      const toml::node &source = *sources[index].node;
      const uint32_t depth = sources[index].depth + 1;
      if (!source.is_table() && !source.is_array()) continue;
      if (depth > limits.depth_max) return fail(CTOML_TOO_DEEP, document.nodes[index]);
      const size_t first = document.nodes.size();
      if (const toml::array *array = source.as_array()) {
        for (const toml::node &child : *array) append(child, {}, nullptr, depth);
      } else {
        append_in_order_of_file(*source.as_table(), depth);
      }
      if (document.nodes.size() > limits.node_count_max) {
        return fail(CTOML_TOO_MANY_NODES, document.nodes[index]);
      }
      document.nodes[index].first_child = static_cast<uint32_t>(first);
      document.nodes[index].child_count = static_cast<uint32_t>(document.nodes.size() - first);
    }
    for (const ctoml_node &node : document.nodes) {
      if (std::max(node.string.count, node.key.count) > limits.string_byte_count_max) {
        return fail(CTOML_STRING_TOO_LONG, node);
      }
    }
  }

 private:
  struct Source {
    const toml::node *node;
    uint32_t depth;
  };

  // toml++ sorts keys by their bytes; positions tell the file's order.
  void append_in_order_of_file(const toml::table &table, uint32_t depth) {
    std::vector<std::pair<const toml::key *, const toml::node *>> entries;
    for (const auto &[key, value] : table) entries.emplace_back(&key, &value);
    std::sort(entries.begin(), entries.end(), [](const auto &left, const auto &right) {
      return is_before(position_of(left.first->source().begin), position_of(right.first->source().begin));
    });
    for (const auto &[key, value] : entries) append(*value, key->str(), key, depth);
  }

  void append(const toml::node &source, std::string_view name, const toml::key *key, uint32_t depth) {
    ctoml_node node = {};
    node.key = text_of(name);
    if (key) {
      node.key_begin = position_of(key->source().begin);
      node.key_end = position_of(key->source().end);
    }
    node.begin = position_of(source.source().begin);
    node.end = position_of(source.source().end);
    set_value(node, source);
    document.nodes.push_back(node);
    sources.push_back({&source, depth});
  }

  static void set_value(ctoml_node &node, const toml::node &source) {
    switch (source.type()) {
      case toml::node_type::none:
      case toml::node_type::table:
        node.kind = CTOML_TABLE;
        break;
      case toml::node_type::array:
        node.kind = CTOML_ARRAY;
        break;
      case toml::node_type::string:
        node.kind = CTOML_STRING;
        node.string = text_of(source.as_string()->get());
        break;
      case toml::node_type::integer:
        node.kind = CTOML_INTEGER;
        node.integer = source.as_integer()->get();
        break;
      case toml::node_type::floating_point:
        node.kind = CTOML_FLOAT;
        node.number = source.as_floating_point()->get();
        break;
      case toml::node_type::boolean:
        node.kind = CTOML_BOOLEAN;
        node.integer = source.as_boolean()->get() ? 1 : 0;
        break;
      case toml::node_type::date:
        node.kind = CTOML_LOCAL_DATE;
        set_date(node.date_time, source.as_date()->get());
        break;
      case toml::node_type::time:
        node.kind = CTOML_LOCAL_TIME;
        set_time(node.date_time, source.as_time()->get());
        break;
      case toml::node_type::date_time: {
        const toml::date_time &value = source.as_date_time()->get();
        node.kind = value.offset ? CTOML_OFFSET_DATE_TIME : CTOML_LOCAL_DATE_TIME;
        set_date(node.date_time, value.date);
        set_time(node.date_time, value.time);
        if (value.offset) node.date_time.offset_minutes = value.offset->minutes;
        break;
      }
    }
  }

  static void set_date(ctoml_date_time &fields, const toml::date &date) {
    fields.year = date.year;
    fields.month = date.month;
    fields.day = date.day;
  }

  static void set_time(ctoml_date_time &fields, const toml::time &time) {
    fields.hour = time.hour;
    fields.minute = time.minute;
    fields.second = time.second;
    fields.nanosecond = time.nanosecond;
  }

  void fail(enum ctoml_failure failure, const ctoml_node &node) {
    document.failure = failure;
    document.failure_position = node.key_begin.line ? node.key_begin : node.begin;
  }

  ctoml_document &document;
  const ctoml_limits &limits;
  std::vector<Source> sources;
};

void parse(ctoml_document &document, std::string_view text, const ctoml_limits &limits) {
  if (text.size() > limits.byte_count_max) {
    document.failure = CTOML_TOO_MANY_BYTES;
    return;
  }
  KeyScanner scanner(text, limits.depth_max);
  if (scanner.finds_long_key()) {
    document.failure = CTOML_TOO_DEEP;
    document.failure_position = scanner.position();
    return;
  }
  toml::parse_result result = toml::parse(text);
  if (!result) {
    document.failure = CTOML_SYNTAX;
    document.failure_position = position_of(result.error().source().begin);
    document.failure_message = result.error().description();
    return;
  }
  document.root = std::move(result).table();
  Flattener(document, limits).run();
  if (document.failure != CTOML_NO_FAILURE) document.nodes.clear();
}

}  // namespace

extern "C" {

struct ctoml_document *ctoml_document_parse(const uint8_t *bytes, size_t count, struct ctoml_limits limits) {
  ctoml_document *document = new (std::nothrow) ctoml_document();
  if (!document) return nullptr;
  try {
    parse(*document, std::string_view(reinterpret_cast<const char *>(bytes), count), limits);
  } catch (...) {
    // Only the allocator throws here.
    document->nodes.clear();
    document->failure = CTOML_OUT_OF_MEMORY;
  }
  return document;
}

enum ctoml_failure ctoml_document_failure(const struct ctoml_document *document) { return document->failure; }

struct ctoml_position ctoml_document_failure_position(const struct ctoml_document *document) {
  return document->failure_position;
}

struct ctoml_text ctoml_document_failure_message(const struct ctoml_document *document) {
  return text_of(document->failure_message);
}

size_t ctoml_document_node_count(const struct ctoml_document *document) { return document->nodes.size(); }

const struct ctoml_node *ctoml_document_nodes(const struct ctoml_document *document) {
  return document->nodes.data();
}

void ctoml_document_free(struct ctoml_document *document) { delete document; }

}  // extern "C"
