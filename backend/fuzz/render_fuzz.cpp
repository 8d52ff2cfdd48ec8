// Builds well-formed objects with any attributes, to reach the renderers: byte 0 as in
// replies_fuzz; then the family header; then attributes, each type, length and value. A type with
// bit 7 opens a nest, 0xff closes it, 0xfe ends the object.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/fuzz/commands.h"

namespace nlsh {
namespace {

class Reader {
  public:
    Reader(const uint8_t* data, size_t size) : data_(data), size_(size) {}
    bool empty() const { return at_ == size_; }
    uint8_t byte() { return empty() ? uint8_t{0} : data_[at_++]; }
    std::string bytes(size_t count) {
        std::string text(reinterpret_cast<const char*>(data_) + at_, std::min(count, size_ - at_));
        at_ += text.size();
        text.resize(count);
        return text;
    }

  private:
    const uint8_t* data_;
    size_t size_;
    size_t at_ = 0;
};

void read_attributes(Reader& input, Message& message) {
    std::vector<size_t> nests;
    while (!input.empty() && !message.overflow()) {
        const uint8_t type = input.byte();
        if (type == 0xfe) break;
        if (type == 0xff) {
            if (nests.empty()) continue;
            message.end_nest(nests.back());
            nests.pop_back();
        } else if ((type & 0x80) != 0) {
            nests.push_back(message.begin_nest(type & 0x7f));
        } else {
            const std::string value = input.bytes(input.byte());
            message.put(type, value.data(), value.size());
        }
    }
    for (; !nests.empty(); nests.pop_back())
        message.end_nest(nests.back());
}

}  // namespace
}  // namespace nlsh

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace nlsh;
    if (size < 2) return 0;
    const FuzzCommand& chosen = fuzz_command(data[0] & 0x7f);
    Reader input(data + 1, size - 1);
    KernelScript kernel;
    while (!input.empty()) {
        const std::string bytes = input.bytes(chosen.header_size);
        Message message(chosen.answer, NLM_F_MULTI, uint32_t{0});
        message.header()->nlmsg_len = NLMSG_HDRLEN;
        message.append(bytes.data(), bytes.size());
        read_attributes(input, message);
        if (message.overflow()) break;
        kernel.say(message);
    }
    kernel.say(Message(NLMSG_DONE, NLM_F_MULTI, int{0}));
    fuzz_run(chosen, kernel, (data[0] & 0x80) != 0);
    return 0;
}
