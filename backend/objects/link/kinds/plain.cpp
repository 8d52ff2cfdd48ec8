// Kinds without options.
#include "backend/objects/link/words/kind.h"

namespace nlsh {

extern constexpr LinkKind dummy_kind{.name = "dummy", .skips_words = true};
extern constexpr LinkKind ifb_kind{.name = "ifb", .skips_words = true};
extern constexpr LinkKind nlmon_kind{.name = "nlmon", .skips_words = true};
extern constexpr LinkKind team_kind{.name = "team", .skips_words = true};
extern constexpr LinkKind team_slave_kind{.name = "team_slave"};
extern constexpr LinkKind vcan_kind{.name = "vcan"};

}  // namespace nlsh
