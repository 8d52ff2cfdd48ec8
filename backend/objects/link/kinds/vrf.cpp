// VRFs and their members.
#include <linux/if_link.h>

#include "backend/objects/link/kinds/codec.h"

namespace nlsh {
namespace {

constexpr LinkRow rows[] = {{.word = "table",
                             .attribute = IFLA_VRF_TABLE,
                             .codec = {read_table, print_number},
                             .complaint = "invalid table ID\n"}};
constexpr LinkRow slave_rows[] = {printed(IFLA_VRF_PORT_TABLE, print_number, "table")};

}  // namespace

extern constexpr LinkKind vrf_kind{.name = "vrf", .rows = rows};
extern constexpr LinkKind vrf_slave_kind{.name = "vrf_slave", .rows = slave_rows};

}  // namespace nlsh
