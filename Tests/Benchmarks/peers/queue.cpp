// queue.cpp: C++'s priority_queue of (deadline, number): `queue SIZE OPERATIONS even|minutes`, the work that timeline-bench's verb
// of that name describes.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

int main(int, char **words) {
  const long size = std::atol(words[1]), operations = std::atol(words[2]);
  const bool even = std::strcmp(words[3], "even") == 0;
  uint64_t state = 88172645463325252u;
  auto draw = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int64_t(state >> 33);
  };
  const int64_t minute = 60'000'000'000;
  using Item = std::pair<int64_t, uint32_t>;
  std::vector<Item> items;
  for (long number = 0; number < size; number++) items.emplace_back(even ? draw() : draw() % 60 * minute, number);
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue(std::greater<Item>(), std::move(items));
  uint64_t sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (long turn = 0; turn < operations; turn++) {
    const auto [deadline, number] = queue.top();
    queue.pop();
    sum += uint64_t(deadline) ^ number;
    queue.emplace(deadline + (even ? 1'000'000'000 + (draw() >> 1) : (1 + (draw() & 63)) * minute), number);
  }
  const auto elapsed = std::chrono::steady_clock::now() - start;
  std::printf("{\"count\":%ld,\"sum\":%llu,\"nanoseconds\":%lld}\n", operations, (unsigned long long)sum,
              (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}
