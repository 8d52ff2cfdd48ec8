#include <linux/if_link.h>

#include "parser/ip/link/kind/kind.h"

namespace nlsh {
namespace {

constexpr LinkOption options[] = {
    {"table", IFLA_VRF_TABLE, read_table, 0, {}, Spelling::prefix, "invalid table ID\n"}};

}  // namespace

const LinkKind vrf_kind{"vrf", options};

}  // namespace nlsh
