// `ip rule flush`: one dump, a deletion for each rule.
#include <algorithm>
#include <vector>

#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/objects/rule/rule.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const RuleFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    fib_rule_hdr header{};
    header.family = request.family;
    Message message(RTM_GETRULE, 0, header);
    std::vector<KeptMessage> doomed;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        // A rule without a priority attribute has priority 0; flush keeps this rule.
        const Rule rule(answer);
        if (rule.header && rule.attributes[FRA_PRIORITY]) doomed.emplace_back(answer);
        return true;
    });
    const bool flushed = print_dump_verdict(context, verdict) &&
                         std::ranges::all_of(doomed, [&](const KeptMessage& rule) {
                             context.commit();
                             Message deletion = repeated<fib_rule_hdr>(RTM_DELRULE, *rule);
                             return print_verdict(context, channel.change(deletion));
                         });
    if (flushed) return 0;
    print_dump_terminated(context);
    return 255;
}

}  // namespace nlsh
