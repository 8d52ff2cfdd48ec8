#include "backend/shell/streams.h"

#include <algorithm>

namespace nlsh {

void Hold::release() {
    auto held = std::exchange(held_, {});
    for (auto& [target, text] : held) {
        if (target->write(text)) {
            context_.commit();
        } else if (!context_.committed && untouched()) {
            return give_up();
        }
    }
    context_.commit();
}

Room Hold::room() {
    size_t sizes[2] = {};
    for (const auto& [target, text] : held_)
        sizes[target == &out_target_ ? 0 : 1] += text.size();
    const Room of_out = sizes[0] > 0 ? out.room(sizes[0]) : Room::sure;
    const Room of_err = sizes[1] > 0 ? err.room(sizes[1]) : Room::sure;
    return std::max(of_out, of_err);
}

void Hold::settle(bool more) {
    if (context_.fallback || held_.empty()) return;
    if (!context_.committed) {
        const Room known = room();
        if (known == Room::none && untouched()) return give_up();
        if (more && known == Room::sure) return;
        // A bounded line must not wait for a reader; a line without changes may still need to fall
        // back.
        if (more && (context_.bounded || !changes_) && untouched()) return give_up();
    }
    release();
}

void Hold::expect_output() {
    if (context_.bounded && !context_.committed && size_ > *context_.bounded)
        context_.fall_back("its output would have to wait for its reader");
    const bool open = !context_.committed && !context_.fallback && held_.empty();
    if (open && out.room(1) == Room::none && untouched()) give_up();
}

bool Hold::write(Output& target, std::string_view bytes) {
    size_ += bytes.size();
    if (size_ > limit && !context_.fallback) {
        if (!context_.bounded) release();
        if (context_.bounded) context_.fall_back("more output than may be held");
    }
    if (context_.committed) {
        if (!held_.empty()) release();
        return target.write(bytes);
    }
    if (held_.empty() || held_.back().first != &target) held_.emplace_back(&target, std::string());
    held_.back().second.append(bytes);
    return true;
}

bool FirstLine::write(std::string_view bytes) {
    if (!complete_) {
        size_t end = bytes.find('\n');
        line.append(bytes.substr(0, end));
        complete_ = end != std::string_view::npos || line.size() > longest;
        if (line.size() > longest) line.resize(longest);
    }
    return target_.write(bytes);
}

}  // namespace nlsh
