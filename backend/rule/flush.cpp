// `ip rule flush`: one dump, a deletion for each rule.
#include <vector>

#include "backend/errors.h"
#include "backend/rule/rule.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const RuleFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    fib_rule_hdr header{};
    header.family = request.family;
    Message message(RTM_GETRULE, 0, header);
    std::vector<KeptMessage> doomed;
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        // That of priority 0 comes without the number, and stays.
        const Rule rule(answer);
        if (rule.header && rule.attributes[FRA_PRIORITY]) doomed.emplace_back(answer);
        return true;
    });
    bool good = print_dump_verdict(context, verdict);
    for (const KeptMessage& rule : doomed) {
        if (!good) break;
        context.commit();
        Message deletion(RTM_DELRULE, 0, *family_header<fib_rule_hdr>(*rule));
        const Bytes attributes = attribute_bytes<fib_rule_hdr>(*rule);
        deletion.append(attributes.data(), attributes.size());
        good = print_verdict(context, channel.change(deletion));
    }
    if (good) return 0;
    print_error(context, "Dump terminated\n");
    return 255;
}

}  // namespace nlsh
