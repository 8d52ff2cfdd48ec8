#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "backend/descriptor.h"
#include "backend/echo/echo.h"
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"
#include "backend/net/attributes.h"
#include "backend/net/namespace.h"
#include "backend/objects/link/kinds/check.h"
#include "backend/objects/netns/names.h"
#include "backend/run.h"
#include "parser/ip/arguments.h"
#include "parser/ip/bytes.h"

namespace nlsh {
namespace {

// iproute2's status if it takes a missing device for a wrong argument.
constexpr int usage_error = 255;

// Success, or the exit status after a printed error.
using Step = std::expected<void, int>;

// The size of a link's hardware address, or the kernel's error.
std::expected<size_t, Verdict> link_address_size(Channel& channel, uint32_t ifindex) {
    size_t size = 0;
    auto verdict =
        ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& message) {
            size = Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message))[IFLA_ADDRESS].size();
            return true;
        });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return size;
}

std::expected<LinkKindData, Verdict> link_kind_data(Channel& channel, uint32_t ifindex) {
    LinkKindData found;
    auto verdict =
        ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& message) {
            const Attributes<IFLA_MAX> link(attribute_bytes<ifinfomsg>(message));
            const Attributes<IFLA_INFO_DATA> info(link[IFLA_LINKINFO]);
            const Bytes bytes = info[IFLA_INFO_DATA] ? info[IFLA_INFO_DATA].bytes() : Bytes{};
            found.data.assign(bytes.begin(), bytes.end());
            if (info[IFLA_INFO_KIND]) found.kind = info[IFLA_INFO_KIND].string();
            return true;
        });
    if (!verdict.ok()) return std::unexpected(std::move(verdict));
    return found;
}

class LinkEncoder {
  public:
    LinkEncoder(Context& context, Channel& channel, const Options& options,
                const LinkChange& request);

    Step encode(const std::vector<LinkAttribute>& attributes);
    Step find_target(const LinkChange& request);
    Message& message() { return message_; }
    // Null: nlsh didn't ask for the link.
    const LinkKindData* existing() const { return existing_ ? &*existing_ : nullptr; }

  private:
    static Message begin(const Options& options, const LinkChange& request);
    Step encode(uint16_t type, const LinkNest& nest);
    std::expected<uint32_t, int> find(const LinkDevice& device);
    Step read_existing();
    Step encode_netns(uint16_t type, const LinkNetns& netns);
    bool encode_kept(uint16_t type, const LinkKept& kept);

    Context& context_;
    const Options& options_;
    Channel& channel_;
    Message message_;
    std::vector<Descriptor> namespaces_ = {};    // open until the message has been sent
    std::string_view kind_;                      // of the request
    std::optional<LinkKindData> existing_ = {};  // of the changed link
};

// By LinkChange::Action.
constexpr uint16_t message_types[] = {RTM_NEWLINK, RTM_DELLINK, RTM_NEWLINKPROP, RTM_DELLINKPROP};

Message LinkEncoder::begin(const Options& options, const LinkChange& request) {
    auto header = of_family<ifinfomsg>(options.family);
    header.ifi_index = static_cast<int>(request.ifindex);
    header.ifi_flags = request.flags;
    header.ifi_change = request.change;
    const unsigned flags = (request.create ? unsigned{NLM_F_CREATE} : 0) |
                           (request.exclusive ? unsigned{NLM_F_EXCL} : 0) |
                           (request.replace ? unsigned{NLM_F_REPLACE} : 0) |
                           (request.append ? unsigned{NLM_F_APPEND} : 0);
    return {message_types[static_cast<size_t>(request.action)], static_cast<uint16_t>(flags),
            header};
}

LinkEncoder::LinkEncoder(Context& context, Channel& channel, const Options& options,
                         const LinkChange& request)
    : context_(context),
      options_(options),
      channel_(channel),
      message_(begin(options, request)),
      kind_(kind_of(request)) {}

std::expected<uint32_t, int> LinkEncoder::find(const LinkDevice& device) {
    using Role = LinkDevice::Role;
    if (device.role == Role::master || device.role == Role::vrf) {
        return find_master(context_, options_, channel_, device.name, device.role == Role::vrf);
    }
    if (const uint32_t ifindex = find_device(channel_, device.name); ifindex != 0) return ifindex;
    const int status = cannot_find_device(context_, options_, device.name);
    return std::unexpected(device.role == Role::strict ? usage_error : status);
}

Step LinkEncoder::encode(uint16_t type, const LinkNest& nest) {
    const size_t start = message_.begin_nest(type);
    if (!nest.header.empty()) message_.append(nest.header.data(), nest.header.size());
    const Step encoded = encode(nest.attributes);
    message_.end_nest(start);
    return encoded;
}

// A change starts from the tunnel's present options, which iproute2 reads first.
Step LinkEncoder::read_existing() {
    if (existing_) return {};
    const auto ifindex = message_.family_header<ifinfomsg>()->ifi_index;
    auto link = link_kind_data(channel_, static_cast<uint32_t>(ifindex));
    if (link && !link->data.empty()) {
        // iproute2 misreads another kind's data as a tunnel's.
        if (link->kind != kind_ && context_.fall_back("a tunnel's options for a " + link->kind))
            return std::unexpected(usage_error);
        existing_ = std::move(*link);
        return {};
    }
    if (!link) print_verdict(context_, link.error());
    print_error(context_, "Failed to get existing tunnel info.\n");
    return std::unexpected(1);
}

// Returns false if no further attribute is sent.
bool LinkEncoder::encode_kept(uint16_t type, const LinkKept& kept) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(existing_->data.data());
    for (const Attribute attribute : AttributeRange({bytes, existing_->data.size()})) {
        if (attribute.type() != type) continue;
        const Bytes old = attribute.bytes();
        std::string value(old.begin(), old.end());
        for (size_t i = 0; i < value.size() && i < kept.mask.size(); ++i) {
            value[i] =
                static_cast<char>((value[i] & ~kept.mask[i]) | (kept.value[i] & kept.mask[i]));
        }
        if (kept.nonzero && all_zero(value)) return true;
        message_.put_bytes(type, value);
        return !kept.last;
    }
    if (kept.flag || !kept.value.empty()) message_.put_bytes(type, kept.value);
    return !(kept.flag && kept.last);
}

Step LinkEncoder::encode_netns(uint16_t type, const LinkNetns& netns) {
    const bool path = netns.name.contains('/');
    Descriptor file = open_file((path ? netns.name : netns_path(netns.name)).c_str());
    if (!file && !path && depends_on_viewer(netns)) {
        const uint32_t process = *parse_u32(netns.name);
        if (options_.traits.lacks(Trait::netns_pid_opened)) {
            message_.put_u32(IFLA_NET_NS_PID, process);
            return {};
        }
        file = open_file(fmt::format("/proc/{}/ns/net", process).c_str());
    }
    if (!file) {
        return std::unexpected(
            wrong_argument(context_, options_, netns.name, "Invalid \"netns\" value\n"));
    }
    if (!is_network_namespace(file.get()) && context_.fall_back("netns isn't a namespace")) {
        return std::unexpected(1);
    }
    message_.put_u32(type, static_cast<uint32_t>(file.get()));
    namespaces_.push_back(std::move(file));
    return {};
}

bool is_kept(const LinkAttribute& attribute) {
    return std::holds_alternative<LinkKept>(attribute.value);
}

Step LinkEncoder::encode(const std::vector<LinkAttribute>& attributes) {
    // iproute2 reads the tunnel's options before any word of the kind.
    if (std::ranges::any_of(attributes, is_kept))
        if (const Step step = read_existing(); !step) return step;
    bool sent = true;  // false: only look up devices
    for (const LinkAttribute& attribute : attributes) {
        if (const auto* device = std::get_if<LinkDevice>(&attribute.value)) {
            const auto ifindex = find(*device);
            if (!ifindex) return std::unexpected(ifindex.error());
            if (sent && device->sent) message_.put_u32(attribute.type, *ifindex);
        } else if (!sent) {
            continue;
        } else if (const auto* bytes = std::get_if<std::string>(&attribute.value)) {
            message_.put_bytes(attribute.type, *bytes);
        } else if (const auto* nest = std::get_if<LinkNest>(&attribute.value)) {
            if (const Step step = encode(attribute.type, *nest); !step) return step;
        } else if (const auto* kept = std::get_if<LinkKept>(&attribute.value)) {
            sent = encode_kept(attribute.type, *kept);
        } else if (const auto* netns = std::get_if<LinkNetns>(&attribute.value)) {
            if (const Step step = encode_netns(attribute.type, *netns); !step) return step;
        }
    }
    return {};
}

// Finds the link to change, and checks the size of a new hardware address.
Step LinkEncoder::find_target(const LinkChange& request) {
    if (request.device.empty()) return {};
    const auto ifindex = find({request.device});
    if (!ifindex) return std::unexpected(ifindex.error());
    message_.family_header<ifinfomsg>()->ifi_index = static_cast<int>(*ifindex);
    if (!request.address_size) return {};
    const auto size = link_address_size(channel_, *ifindex);
    if (!size) {  // iproute2 prints this and goes on
        print_verdict(context_, size.error());
        return {};
    }
    // If the link has no address, as a TUN device, the kernel refuses.
    if (*size == 0 || *size == *request.address_size) return {};
    print_error(context_, fmt::format("Invalid address length {} - must be {} bytes\n",
                                      *request.address_size, *size));
    return std::unexpected(1);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const LinkChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    LinkEncoder message(context, channel, options, request);
    if (const Step step = message.encode(request.attributes); !step) return step.error();
    if (const Step step = message.find_target(request); !step) return step.error();
    if (const Step step = message.encode(request.info); !step) return step.error();
    if (const int status = check_kind(context, request, message.existing()); status != 0) {
        return status;
    }
    return send_change(context, options, channel, message.message());
}

}  // namespace nlsh
