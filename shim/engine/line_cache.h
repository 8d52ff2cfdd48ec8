// A cache of parsed lines. The key is everything that decides how a line is parsed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "shim/engine/engine.h"

namespace nlsh {

using Answer = std::expected<std::shared_ptr<const Prepared>, Decline>;

// Everything that decides how a line is parsed; the cache's key.
struct Asked {
    std::string_view line;
    const CallerEnvironment& caller;
};
struct Kept {
    std::string line;
    CallerEnvironment caller;
    operator Asked() const { return {line, caller}; }
};
struct HashOfLine {
    using is_transparent = void;
    size_t operator()(const Asked& asked) const {
        return std::hash<std::string_view>()(asked.line);
    }
};
struct SameAsked {
    using is_transparent = void;
    bool operator()(const Asked& a, const Asked& b) const {
        return a.line == b.line && a.caller == b.caller;
    }
};
using Answers = std::unordered_map<Kept, Answer, HashOfLine, SameAsked>;

// Caches only lines that came twice: most lines of a program differ, and caching those would cost
// more than parsing. A generation shares name tables and tool look-ups.
struct LineCache {
    // Lines and bytes of lines in a generation: bounds for hostile callers. The older generation is
    // dropped when the younger is full.
    static constexpr size_t generation_size = 2048;
    static constexpr size_t generation_bytes = size_t{512} * 1024;

    std::array<uint32_t, 1024> seen{};  // hashes of lines that came once
    Answers young;
    Answers old;
    size_t young_bytes = 0;
    size_t size = generation_size;

    const Answer* find(const Asked& asked) {
        if (const auto hit = young.find(asked); hit != young.end()) return &hit->second;
        const auto hit = old.find(asked);
        if (hit == old.end()) return nullptr;
        Answer answer = std::move(hit->second);
        old.erase(hit);
        return &add(asked, std::move(answer));
    }
    const Answer& add(const Asked& asked, Answer answer) {
        if (young.size() >= size || young_bytes >= generation_bytes) {
            old = std::move(young);
            young.clear();
            young_bytes = 0;
        }
        young_bytes += asked.line.size() + asked.caller.path.size();
        return young
            .insert_or_assign(Kept{std::string(asked.line), asked.caller}, std::move(answer))
            .first->second;
    }
    bool comes_again(const Asked& asked) {
        const size_t hash = HashOfLine()(asked);
        const auto mark = static_cast<uint32_t>(hash >> (4 * sizeof hash));
        return std::exchange(seen[hash % seen.size()], mark) == mark;
    }
    void clear() {
        young.clear();
        old.clear();
        young_bytes = 0;
    }
};

}  // namespace nlsh
