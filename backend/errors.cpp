#include "backend/errors.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace nlsh {
namespace {

// Exit statuses: the kernel refused a request; a device doesn't exist.
constexpr int refused(Tool tool) {
    return tool == Tool::ip ? 2 : 255;
}
constexpr int missing(Tool tool) {
    return tool == Tool::ip ? 1 : 255;
}

void note(Context& context, const Verdict& verdict) {
    if (!verdict.ok()) context.refusal = {verdict.error, verdict.extack};
}

std::string sentence(std::string_view text) {
    return fmt::format("{}{}", text, text.ends_with('.') ? "" : ".");
}

// The socket failed, not the request. A show falls back: iproute2 opens a fresh socket.
void print_fault(Context& context, const Verdict& verdict, std::string_view sending) {
    if (context.fall_back("the netlink socket failed")) return;
    const std::string_view text = strerror(verdict.error);
    if (verdict.fault == Verdict::Fault::send) {
        print_error(context, fmt::format("{}: {}\n", sending, text));
    } else {
        print_error(context, fmt::format("netlink receive error {} ({})\n", text, verdict.error));
    }
}

}  // namespace

void print_error(Context& context, std::string_view text) {
    context.err->write(text);
}

bool print_verdict(Context& context, const Verdict& verdict) {
    note(context, verdict);
    if (verdict.fault != Verdict::Fault::none) {
        print_fault(context, verdict, "Cannot talk to rtnetlink");
    } else if (!verdict.extack.empty()) {
        print_error(context, fmt::format("{}: {}\n", verdict.ok() ? "Warning" : "Error",
                                         sentence(verdict.extack)));
    } else if (!verdict.ok()) {
        print_error(context, fmt::format("RTNETLINK answers: {}\n", strerror(verdict.error)));
    }
    return verdict.ok();
}

int report_change(Context& context, Tool tool, const Verdict& verdict) {
    return print_verdict(context, verdict) ? 0 : refused(tool);
}

int send_unechoed(Context& context, const Options& options, Channel& channel, Message& message) {
    context.commit();
    return report_change(context, options.tool, channel.change(message));
}

bool print_dump_verdict(Context& context, const Verdict& verdict) {
    note(context, verdict);
    if (verdict.fault != Verdict::Fault::none) {
        print_fault(context, verdict, "Cannot send dump request");
        return false;
    }
    if (verdict.interrupted) {
        print_error(context, "Dump was interrupted and may be inconsistent.\n");
    }
    if (verdict.ok()) return true;
    const bool ends = !verdict.dump_error_message;
    if (ends && !verdict.extack.empty()) {
        print_error(context, fmt::format("Error: {}\n", sentence(verdict.extack)));
    } else if (ends && verdict.error == EMSGSIZE) {
        print_error(context, "Error: Buffer too small for object.\n");
    } else if (!ends || (verdict.error != ENOENT && verdict.error != EOPNOTSUPP)) {
        print_error(context, fmt::format("RTNETLINK answers: {}\n", strerror(verdict.error)));
    }
    return false;
}

void print_dump_terminated(Context& context) {
    print_error(context, "Dump terminated\n");
}

bool dump_failed(Context& context, Printer& printer, const Verdict& verdict) {
    if (print_dump_verdict(context, verdict)) return false;
    print_dump_terminated(context);
    printer.flush();
    return true;
}

int end_dump(Context& context, Printer& printer, const Verdict& verdict, int failed,
             FailedDump document) {
    if (!verdict.ok() && printer.json() && document != FailedDump::stays_open &&
        !context.has(printer.options(), Trait::json_closed_after_error)) {
        document = FailedDump::stays_open;
    }
    if (context.fallback) return failed;
    if (!print_dump_verdict(context, verdict)) {
        if (document == FailedDump::closed_before_last_message) printer.end_document();
        print_dump_terminated(context);
        if (document == FailedDump::closed_last) printer.end_document();
        printer.flush();
        return failed;
    }
    printer.end_document();
    return 0;
}

int cannot_find_device(Context& context, const Options& options, std::string_view name) {
    context.refusal = {ENODEV};
    print_error(context, fmt::format("Cannot find device \"{}\"\n", name));
    return missing(options.tool);
}

int cannot_find_bridge_device(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find bridge device \"{}\"\n", name));
    return 255;
}

int device_does_not_exist(Context& context, const Options&, std::string_view name) {
    context.refusal = {ENODEV};
    print_error(context, fmt::format("Device \"{}\" does not exist.\n", name));
    return 1;
}

int wrong_argument(Context& context, const Options& options, std::string_view word,
                   std::string_view why) {
    if (!options.batch || !context.fall_back("a wrong argument")) {
        print_error(context, fmt::format("Error: argument \"{}\" is wrong: {}\n", word, why));
    }
    return 255;
}

int cannot_open_socket(Context& context, int error) {
    context.refusal = {error};
    print_error(context, fmt::format("Cannot open netlink socket: {}\n", strerror(error)));
    return 1;
}

}  // namespace nlsh
