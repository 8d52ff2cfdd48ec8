// ip netns identify, pids.
#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "backend/errors.h"
#include "backend/objects/netns/names.h"
#include "backend/objects/netns/words/netns.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr const char* own_namespace = "/proc/thread-self/ns/net";

struct Place {
    dev_t device;
    ino_t inode;
    bool operator==(const Place&) const = default;
};

std::optional<Place> place_of(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return {};
    return Place{status.st_dev, status.st_ino};
}

int cannot_open(Context& context) {
    context.refusal = {errno};
    print_error(context, fmt::format("Cannot open network namespace: {}\n", std::strerror(errno)));
    return 1;
}

bool is_number(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

// Prints the last of several names, or an empty line if there is none.
ExitStatus run(Context& context, const Options&, const NetnsIdentify& request) {
    const auto wanted =
        place_of(request.process.empty() ? std::string(own_namespace)
                                         : fmt::format("/proc/{}/ns/net", request.process));
    if (!wanted) return cannot_open(context);
    std::string found;
    for (const std::string& name : netns_names().value_or(std::vector<std::string>{})) {
        const auto place = place_of(netns_path(name));
        const bool known = place && place->device == wanted->device;
        if (!known && context.fall_back("netns identify: not a namespace")) return 1;
        if (place == wanted) found = name;
    }
    context.out->write(found + "\n");
    return 0;
}

ExitStatus run(Context& context, const Options&, const NetnsPids& request) {
    const auto wanted = place_of(netns_path(request.name));
    if (!wanted) return cannot_open(context);
    // In its own namespace, the real ip lists itself and its shell; nlsh starts neither.
    if (wanted == place_of(own_namespace) && context.fall_back("netns pids: one's own")) return 1;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
    std::string text;
    while (const dirent* entry = directory ? readdir(directory.get()) : nullptr) {
        if (!is_number(entry->d_name)) continue;
        if (place_of(fmt::format("/proc/{}/ns/net", entry->d_name)) == wanted) {
            text.append(entry->d_name).append("\n");
        }
    }
    context.out->write(text);
    return 0;
}

}  // namespace nlsh
