#pragma once

#include <cstring>
#include <vector>

#include "CTOML.h"

// The children of tables and arrays as they are linked to one another, and the way from a key to its node.
//
// A few children are looked through one by one. A table with more, which the table of all jobs is, has its keys in a
// hash table, so that reading them takes no longer than their number.
class KeyIndex {
 public:
  explicit KeyIndex(std::vector<ctoml_node> &nodes) : nodes(nodes) {}

  // The child of `parent` under `key`, or 0, which is the root and nobody's child.
  uint32_t find(uint32_t parent, const ctoml_text &key) const {
    if (nodes[parent].child_count <= few) {
      uint32_t child = nodes[parent].first_child;
      for (uint32_t left = nodes[parent].child_count; left > 0; left--, child = nodes[child].next_sibling) {
        if (is_equal(nodes[child].key, key)) return child;
      }
      return 0;
    }
    for (size_t slot = slot_of(parent, key);; slot = (slot + 1) & (slots.size() - 1)) {
      const Slot &found = slots[slot];
      if (found.child == 0) return 0;
      if (found.parent == parent && is_equal(nodes[found.child].key, key)) return found.child;
    }
  }

  // Puts `child` behind the other children of `parent`.
  void link(uint32_t parent, uint32_t child) {
    ctoml_node &node = nodes[parent];
    if (node.child_count == 0) {
      node.first_child = child;
    } else {
      nodes[node.value.last_child].next_sibling = child;
    }
    node.value.last_child = child;
    node.child_count++;
    if (nodes[child].key_begin.line == 0 || node.child_count <= few) return;
    if (node.child_count > few + 1) return insert(parent, child);
    for (uint32_t each = node.first_child; each != 0; each = nodes[each].next_sibling) insert(parent, each);
  }

 private:
  static constexpr uint32_t few = 16;

  struct Slot {
    uint32_t parent;
    uint32_t child;
  };

  static bool is_equal(const ctoml_text &left, const ctoml_text &right) {
    return left.count == right.count && std::memcmp(left.bytes, right.bytes, left.count) == 0;
  }

  size_t slot_of(uint32_t parent, const ctoml_text &key) const {
    uint64_t hash = 0xCBF29CE484222325 ^ parent;
    for (size_t byte = 0; byte < key.count; byte++) hash = (hash ^ key.bytes[byte]) * 0x100000001B3;
    return static_cast<size_t>(hash ^ hash >> 32) & (slots.size() - 1);
  }

  void insert(uint32_t parent, uint32_t child) {
    if ((count + 1) * 2 > slots.size()) grow();
    count++;
    place({parent, child});
  }

  void place(const Slot &entry) {
    size_t slot = slot_of(entry.parent, nodes[entry.child].key);
    while (slots[slot].child != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = entry;
  }

  void grow() {
    std::vector<Slot> former(slots.empty() ? 64 : slots.size() * 2);
    former.swap(slots);
    for (const Slot &entry : former) {
      if (entry.child != 0) place(entry);
    }
  }

  std::vector<ctoml_node> &nodes;
  std::vector<Slot> slots;
  size_t count = 0;
};
