#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <array>

#include "shim/builds/reference.h"
#include "shim/doctor/check.h"
#include "shim/files/ends.h"
#include "shim/netns/netns.h"
#include "shim/process/captured.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace nlsh {
namespace {

using State = Check::State;

// A feature to try: its name, and the words for `ip` that create it. The words say `name`, because
// a short device name may be an abbreviation (`b` is broadcast).
struct Feature {
    const char* name;
    const char* words;
};
constexpr std::array<Feature, 9> features{{
    {"bridge", "link add name b type bridge"},
    {"bridge VLAN filtering", "link add name f type bridge vlan_filtering 1"},
    {"vlan", "link add link lo name v type vlan id 10"},
    {"vrf", "link add name r type vrf table 10"},
    {"dummy", "link add name d type dummy"},
    {"veth", "link add name p type veth peer name q"},
    {"vxlan", "link add name x type vxlan id 10 dstport 4789"},
    {"bond", "link add name o type bond"},
    {"macvlan", "link add link b name m type macvlan"},
}};

bool offers(const Feature& feature, int netns) {
    const auto run =
        run_captured({.line = fmt::format("{} {}", reference_path(Tool::ip), feature.words),
                      .environment = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "NLSH_DISABLE=1"},
                      .directory = {},
                      .netns = netns,
                      .limit = quick_limit});
    return run && run->wait_status == 0;
}

bool has_option(int option) {
    const Ends ends = make_sockets(SOCK_SEQPACKET);
    if (!ends) return false;
    uint64_t value = 0;
    socklen_t size = option == SO_PEERPIDFD ? sizeof(int) : sizeof value;
    if (getsockopt(ends.near.get(), SOL_SOCKET, option, &value, &size) != 0) return false;
    if (option == SO_PEERPIDFD) close(static_cast<int>(value));
    return true;
}

}  // namespace

void check_kernel(Checks& checks) {
    utsname system{};
    uname(&system);
    const bool cookie = has_option(SO_NETNS_COOKIE);
    checks.push_back(
        {"kernel", cookie ? State::good : State::warning,
         fmt::format("Linux {}{}{}", system.release, cookie ? ", namespace cookies" : "",
                     has_option(SO_PEERPIDFD) ? ", peers' pidfds" : ""),
         "before Linux 5.14 each call costs some µs more"});
    const Descriptor netns = fresh_netns();
    if (!netns) {
        checks.push_back(
            {"kernel's link types", State::warning, "not tried", "run `nlsh doctor` as root"});
        return;
    }
    std::string there, missing;
    for (const Feature& feature : features) {
        std::string& list = offers(feature, netns.get()) ? there : missing;
        list += (list.empty() ? "" : ", ") + std::string(feature.name);
    }
    checks.push_back({"kernel's link types", missing.empty() ? State::good : State::warning,
                      there + (missing.empty() ? "" : "; not: " + missing),
                      "commands for missing types fail, with or without nlsh"});
}

}  // namespace nlsh
