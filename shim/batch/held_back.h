// Holds the output of several streams until the batch can no longer fall back as a whole.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/output.h"

namespace nlsh {

class HeldBack {
  public:
    explicit HeldBack(bool holds) : holds_(holds) {}
    bool holds() const { return holds_; }
    // Whether the held output takes too much memory.
    bool full() const { return held_ > held_max; }
    bool write(Output& to, std::string_view bytes) {
        if (!holds_) return to.write(bytes);
        texts_.emplace_back(&to, bytes);
        held_ += bytes.size();
        return true;
    }
    // Writes the held output in order. Holds nothing from now on.
    void release() {
        holds_ = false;
        held_ = 0;
        for (const auto& [to, text] : std::exchange(texts_, {}))
            to->write(text);
    }

  private:
    static constexpr size_t held_max = size_t{1} << 20;

    bool holds_;
    size_t held_ = 0;
    std::vector<std::pair<Output*, std::string>> texts_;
};

class HeldBackOutput final : public Output {
  public:
    HeldBackOutput(Output& out, HeldBack& held) : out_(out), held_(held) {}
    bool write(std::string_view bytes) override { return held_.write(out_, bytes); }
    int error() const override { return out_.error(); }
    std::optional<bool> is_terminal() const override { return out_.is_terminal(); }

  private:
    Output& out_;
    HeldBack& held_;
};

}  // namespace nlsh
