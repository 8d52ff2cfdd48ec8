// Names of interfaces. Each is asked for once, when needed; no command dumps all links for names.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/context.h"
#include "backend/errors.h"

namespace nlsh {

// Finds the interface of this name, else of the number in a name like `if5`. 0: there is none.
uint32_t find_device(Channel& channel, std::string_view name);

// Prints that a device is missing, and returns the exit status (cannot_find_device and others).
using MissingDevice = int (*)(Context&, const Options&, std::string_view name);
// The interface of this name, or the exit status that `missing` returned.
std::expected<uint32_t, int> require_device(Context& context, const Options& options,
                                            Channel& channel, std::string_view name,
                                            MissingDevice missing = cannot_find_device);
// The same for an optional name: 0 if the name is empty.
std::expected<uint32_t, int> find_wanted_device(Context& context, const Options& options,
                                                Channel& channel, std::string_view name,
                                                MissingDevice missing = cannot_find_device);
// `Error: argument "x" is wrong: dev is invalid`, or `: Device does not exist`.
int invalid_device(Context& context, const Options& options, std::string_view name);
int not_a_device(Context& context, const Options& options, std::string_view name);

// Lives as long as one command, so it is never stale.
class DeviceNames {
  public:
    explicit DeviceNames(Channel& channel) : channel_(channel) {}
    // The name, or `ifN` if there is none (as iproute2 prints it), which is asked for again next
    // time. Valid until the next call for the same interface.
    std::string_view name(uint32_t ifindex);
    // Stores a name from a link dump or a monitor. A known name stays, as in iproute2, whose
    // monitor keeps a link's old name.
    void learn(uint32_t ifindex, std::string_view name);
    // For a monitor: a link was deleted.
    void forget(uint32_t ifindex) {
        names_.erase(ifindex);
        last_name_ = nullptr;
    }

  private:
    Channel& channel_;
    struct Name {
        std::string text;
        bool known = false;
    };
    std::unordered_map<uint32_t, Name> names_;
    // The known name that was asked for last: tables list an interface's entries one after another.
    uint32_t last_ = 0;
    const std::string* last_name_ = nullptr;
};

// The text after the @ of a link's name: the lower device's name, by its IFLA_LINK; for another
// namespace its number.
std::string lower_name(DeviceNames& names, uint32_t lower, bool elsewhere);

}  // namespace nlsh
