#include "shim/replay/inside/requests.h"

#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

enum { REQUEST_MAX = 64 * 1024 };
enum level { plain, link, lookup, names, linkinfo, vf, neighbor };  // whose attributes they are

// Since 7.2 devices are looked up by a flag that older kernels ignore and older headers lack: names
// alone are wanted. Older builds ask for more, and use the names alone, too.
enum { FILTER_NAMES_ONLY = 0x100 };

struct canonical {
    size_t size;
    unsigned char bytes[REQUEST_MAX];
};

static size_t padded(size_t size) {
    return (size + 3) & ~(size_t)3;
}

static void put(struct canonical* to, const void* bytes, size_t size) {
    if (size > sizeof to->bytes - to->size) size = sizeof to->bytes - to->size;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_attributes(struct canonical* to, const unsigned char* bytes, size_t size,
                           enum level level);

// Whether a value is attributes to its last byte.
static int is_nested(const unsigned char* bytes, size_t size) {
    struct rtattr head;
    if (size < 2 * sizeof head) return 0;
    while (size >= sizeof head) {
        memcpy(&head, bytes, sizeof head);
        if (head.rta_len < sizeof head || head.rta_len > size) return 0;
        const size_t step = padded(head.rta_len) < size ? padded(head.rta_len) : size;
        bytes += step;
        size -= step;
    }
    return size == 0;
}

// Of a value: padding in what it nests is as any. A hop of several has its device before.
static void put_value(struct canonical* to, const unsigned char* value, size_t size) {
    const size_t device = sizeof(int);
    if (is_nested(value, size)) {
        put_attributes(to, value, size, plain);
    } else if (size > device && is_nested(value + device, size - device)) {
        put(to, value, device);
        put_attributes(to, value + device, size - device, plain);
    } else {
        put(to, value, size);
    }
}

// Of a virtual function: the structure of a VLAN with its protocol ends with two bytes that nobody
// sets.
static void put_vf(struct canonical* to, const struct rtattr* head, const unsigned char* value,
                   size_t size) {
    const struct ifla_vf_vlan_info* vlan;
    if (head->rta_type == IFLA_VF_VLAN_INFO && size == sizeof *vlan)
        put(to, value, offsetof(struct ifla_vf_vlan_info, vlan_proto) + sizeof vlan->vlan_proto);
    else if (is_nested(value, size))
        put_attributes(to, value, size, vf);
    else
        put(to, value, size);
}

static uint32_t mask_of_older(const unsigned char* value, enum level level) {
    uint32_t mask;
    memcpy(&mask, value, sizeof mask);
    if ((mask & FILTER_NAMES_ONLY) == 0) return mask;
    if (level == lookup) return RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS;
    return level == names ? RTEXT_FILTER_VF : mask;
}

static void put_attribute(struct canonical* to, const struct rtattr* head,
                          const unsigned char* value, size_t size, enum level level) {
    if (level == linkinfo && head->rta_type == IFLA_INFO_KIND)
        while (size > 0 && value[size - 1] == 0)
            --size;
    const size_t start = to->size;
    struct rtattr own = {.rta_len = 0, .rta_type = head->rta_type};
    put(to, &own, sizeof own);
    if (level == link && head->rta_type == IFLA_LINKINFO) {
        put_attributes(to, value, size, linkinfo);
    } else if (level == vf || (level == link && head->rta_type == IFLA_VFINFO_LIST)) {
        put_vf(to, head, value, size);
    } else if (level == plain || level == neighbor) {
        put_value(to, value, size);
    } else if (head->rta_type == IFLA_EXT_MASK && size == sizeof(uint32_t)) {
        const uint32_t mask = mask_of_older(value, level);
        put(to, &mask, sizeof mask);
    } else {
        put(to, value, size);
    }
    own.rta_len = (unsigned short)(to->size - start);
    memcpy(to->bytes + start, &own, sizeof own);
    static const unsigned char zeros[4];
    put(to, zeros, padded(to->size) - to->size);
}

// A neighbour's protocol comes last: builds that were patched for an fdb's protocols may send it at
// any place, which the kernel doesn't care about.
static void put_attributes(struct canonical* to, const unsigned char* bytes, size_t size,
                           enum level level) {
    struct rtattr head;
    const unsigned char* protocol = NULL;
    while (size >= sizeof head) {
        memcpy(&head, bytes, sizeof head);
        if (head.rta_len < sizeof head || head.rta_len > size) break;
        if (level == neighbor && head.rta_type == NDA_PROTOCOL)
            protocol = bytes;
        else
            put_attribute(to, &head, bytes + sizeof head, head.rta_len - sizeof head, level);
        const size_t step = padded(head.rta_len) < size ? padded(head.rta_len) : size;
        bytes += step;
        size -= step;
    }
    put(to, bytes, size);
    if (protocol == NULL) return;
    memcpy(&head, protocol, sizeof head);
    put_attribute(to, &head, protocol + sizeof head, head.rta_len - sizeof head, level);
}

// Of the header after nlmsghdr, by the objects that rtnetlink's types begin with: link, address,
// route, neighbour, rule, and
// of nexthops; 0: the message is compared as it is.
static size_t fixed_header(unsigned type) {
    if (type >= RTM_NEWNEXTHOP && type <= RTM_GETNEXTHOP) return sizeof(struct nhmsg);
    static const unsigned char sizes[] = {sizeof(struct ifinfomsg), 8, sizeof(struct rtmsg), 12,
                                          12};
    const size_t object = (type - RTM_BASE) / 4;
    return type >= RTM_BASE && object < sizeof sizes ? sizes[object] : 0;
}

// Of a link's message: one device's names are looked up, or all devices'.
static enum level level_of(const struct nlmsghdr* head, const unsigned char* bytes) {
    if (head->nlmsg_type == RTM_NEWNEIGH || head->nlmsg_type == RTM_DELNEIGH) return neighbor;
    if (fixed_header(head->nlmsg_type) != sizeof(struct ifinfomsg)) return plain;
    struct ifinfomsg own;
    memcpy(&own, bytes + sizeof *head, sizeof own);
    if (head->nlmsg_type != RTM_GETLINK || own.ifi_family != AF_UNSPEC) return link;
    return (head->nlmsg_flags & NLM_F_DUMP) == 0 ? lookup : names;
}

static void put_message(struct canonical* to, const unsigned char* bytes, size_t size) {
    struct nlmsghdr head;
    memcpy(&head, bytes, sizeof head);
    const size_t start = to->size, fixed = fixed_header(head.nlmsg_type);
    head.nlmsg_seq = head.nlmsg_pid = 0;
    put(to, &head, sizeof head);
    if (fixed == 0 || size < sizeof head + fixed) {
        put(to, bytes + sizeof head, size - sizeof head);
    } else {
        put(to, bytes + sizeof head, fixed);
        put_attributes(to, bytes + sizeof head + fixed, size - sizeof head - fixed,
                       level_of(&head, bytes));
    }
    head.nlmsg_len = (unsigned)(to->size - start);
    if (start + sizeof head <= sizeof to->bytes) memcpy(to->bytes + start, &head, sizeof head);
}

static void put_messages(struct canonical* to, const unsigned char* bytes, size_t size) {
    struct nlmsghdr head;
    to->size = 0;
    while (size >= sizeof head) {
        memcpy(&head, bytes, sizeof head);
        if (head.nlmsg_len < sizeof head || head.nlmsg_len > size) break;
        put_message(to, bytes, head.nlmsg_len);
        const size_t step = padded(head.nlmsg_len) < size ? padded(head.nlmsg_len) : size;
        bytes += step;
        size -= step;
    }
    put(to, bytes, size);
}

int same_request(const unsigned char* one, size_t one_size, const unsigned char* other,
                 size_t other_size) {
    static struct canonical ours, theirs;
    put_messages(&ours, one, one_size);
    put_messages(&theirs, other, other_size);
    return ours.size == theirs.size && memcmp(ours.bytes, theirs.bytes, ours.size) == 0;
}
