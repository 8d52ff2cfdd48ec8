// Names of interfaces: each is asked for when it is needed, once. No command dumps all links for
// it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/context.h"
#include "backend/errors.h"

namespace nlsh {

// The interface of this name, else of the number in a name like `if5` when there is no
// such name; 0: none.
uint32_t find_device(Channel& channel, std::string_view name);

// Says that a device isn't there; the exit status (cannot_find_device and its like).
using MissingDevice = int (*)(Context&, const Options&, std::string_view name);
// The interface of this name, or the exit status of what `missing` has said.
std::expected<uint32_t, int> require_device(Context& context, const Options& options,
                                            Channel& channel, std::string_view name,
                                            MissingDevice missing = cannot_find_device);
// The same where a name may be given: 0 of an empty one.
std::expected<uint32_t, int> find_wanted_device(Context& context, const Options& options,
                                                Channel& channel, std::string_view name,
                                                MissingDevice missing = cannot_find_device);
// `Error: argument "x" is wrong: dev is invalid`, or `: Device does not exist`.
int invalid_device(Context& context, const Options& options, std::string_view name);
int not_a_device(Context& context, const Options& options, std::string_view name);

// Lives as long as one command: never stale.
class DeviceNames {
  public:
    explicit DeviceNames(Channel& channel) : channel_(channel) {}
    // The name, or `ifN` when there is none (as iproute2 prints it), which is asked for again the
    // next time. Valid until the next call for the same interface.
    std::string_view name(uint32_t ifindex);
    // Tells what a link dump has shown anyway, or a monitor has heard. A name that is known stays,
    // as with iproute2, whose monitor goes on with a link's old name.
    void learn(uint32_t ifindex, std::string_view name);
    // For a monitor: a link that is gone.
    void forget(uint32_t ifindex) { names_.erase(ifindex); }

  private:
    Channel& channel_;
    struct Name {
        std::string text;
        bool known = false;
    };
    std::unordered_map<uint32_t, Name> names_;
};

// What follows the @ of a link's name: the device beneath, by its IFLA_LINK; one of another
// namespace by its number.
std::string lower_name(DeviceNames& names, uint32_t lower, bool elsewhere);

}  // namespace nlsh
