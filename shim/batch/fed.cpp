#include "shim/batch/fed.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parser/ip/global_options.h"
#include "parser/text.h"

namespace nlsh {
namespace {

using Feed = FedBatch::Feed;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view without_blanks(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// The words of a batch command, if the shell doesn't change them; empty: another command.
std::vector<std::string> batch_words(std::string_view text, Feed feed) {
    const auto parts = split(text, ' ');
    if (parts.empty() || !std::ranges::all_of(parts, is_plain_word)) return {};
    std::vector<std::string> words(parts.begin(), parts.end());
    const std::string_view name = base_name(words[0]);
    if (name != "ip" && name != "bridge") return {};
    const Words arguments = Words(words).subspan(1);
    const auto invocation = parse_invocation(name == "ip" ? Tool::ip : Tool::bridge, arguments);
    if (!invocation || invocation->batch == 0 || !invocation->netns.empty()) return {};
    if (feed != Feed::own && arguments[invocation->batch] != "-") return {};
    return words;
}

std::optional<FedBatch> batch_of(Feed feed, std::string_view command, std::string from) {
    auto words = batch_words(command, feed);
    if (words.empty()) return {};
    return FedBatch{.feed = feed, .words = std::move(words), .from = std::move(from)};
}

// Reads '…', "…", bash's $'…', and text outside of quotes.
class Quotes {
  public:
    Quotes(std::string_view text, bool bash) : text_(text), bash_(bash) {}

    // The text's word, if the text is one word without expansions.
    std::optional<std::string> word() {
        if (text_.empty()) return {};
        while (!text_.empty()) {
            const bool good = starts("'")                ? to_end("'", "")
                              : starts("\"")             ? to_end("\"", "$`\\")
                              : bash_ && starts("$'")    ? escaped()
                              : text_.starts_with("\\'") ? quoted_byte()
                                                         : plain_byte();
            if (!good) return {};
        }
        return std::move(word_);
    }

  private:
    bool starts(std::string_view quote) {
        if (!text_.starts_with(quote)) return false;
        text_.remove_prefix(quote.size());
        return true;
    }
    bool to_end(std::string_view quote, std::string_view special) {
        const size_t end = text_.find(quote);
        if (end == text_.npos) return false;
        const std::string_view inner = text_.substr(0, end);
        if (inner.find_first_of(special) != inner.npos) return false;
        word_ += inner;
        text_.remove_prefix(end + 1);
        return true;
    }
    bool escaped() {
        constexpr std::array<std::pair<char, char>, 5> escapes{
            {{'n', '\n'}, {'t', '\t'}, {'\\', '\\'}, {'\'', '\''}, {'"', '"'}}};
        while (!text_.empty() && text_[0] != '\'') {
            if (text_[0] != '\\') {
                word_ += text_[0];
                text_.remove_prefix(1);
                continue;
            }
            bool known = false;
            for (const auto& [letter, byte] : escapes) {
                if (text_.size() < 2 || text_[1] != letter) continue;
                word_ += byte;
                known = true;
            }
            if (!known) return false;
            text_.remove_prefix(2);
        }
        return starts("'");
    }
    bool quoted_byte() {
        word_ += text_[1];
        text_.remove_prefix(2);
        return true;
    }
    bool plain_byte() {
        if (plain_bytes.find(text_[0]) == plain_bytes.npos) return false;
        word_ += text_[0];
        text_.remove_prefix(1);
        return true;
    }

    std::string_view text_;
    bool bash_;
    std::string word_;
};

// `ip -batch - <<END`, `cat <<END | ip -batch -`, and the text up to END.
std::optional<FedBatch> here_document(std::string_view line) {
    const size_t end = line.find('\n');
    const std::string_view first = line.substr(0, end);
    const size_t arrows = first.find("<<");
    if (end == line.npos || arrows == first.npos) return {};
    std::string_view command = first.substr(0, arrows);
    std::string_view mark = first.substr(arrows + 2);
    if (const size_t pipe = mark.find('|'); pipe != mark.npos) {
        if (without_blanks(command) != "cat") return {};
        command = mark.substr(pipe + 1);
        mark = mark.substr(0, pipe);
    }
    mark = without_blanks(mark);
    const auto name = mark.starts_with('-') ? std::nullopt : Quotes(mark, false).word();
    if (!name || !is_plain_word(*name)) return {};
    const std::string_view special = mark == *name ? "$`\\" : "";
    std::string text;
    for (std::string_view rest = line.substr(end + 1); !rest.empty();) {
        const size_t size = std::min(rest.find('\n'), rest.size());
        const std::string_view each = rest.substr(0, size);
        rest.remove_prefix(std::min(size + 1, rest.size()));
        if (each == *name) {
            const bool expanded = text.find_first_of(special) != text.npos;
            if (expanded || rest.find_first_not_of(" \n") != rest.npos) return {};
            return batch_of(Feed::text, command, std::move(text));
        }
        text.append(each).append(1, '\n');
    }
    return {};
}

std::optional<FedBatch> here_string(std::string_view line, size_t arrows) {
    auto text = Quotes(without_blanks(line.substr(arrows + 3)), true).word();
    if (!text) return {};
    return batch_of(Feed::text, line.substr(0, arrows), *text + '\n');
}

std::optional<FedBatch> behind_pipe(std::string_view line, size_t pipe) {
    const std::string_view command = line.substr(pipe + 1);
    const auto before = split(line.substr(0, pipe), ' ');
    if (before.size() == 2 && before[0] == "cat" && is_plain_word(before[1]) && before[1][0] != '-')
        return batch_of(Feed::file, command, std::string(before[1]));
    // The shell parses the program before `|` the same way with cat in place of the tool.
    return batch_of(Feed::program, command, std::string(line.substr(0, pipe + 1)) + "cat");
}

std::optional<FedBatch> batch_in(std::string_view line, bool bash) {
    const size_t input = line.find('<');
    const bool numbered = input != line.npos && input > 0 && is_digit(line[input - 1]);
    if (numbered) return {};
    if (line.contains("<<")) {
        const size_t arrows = line.find("<<<");
        if (bash && arrows != line.npos && line.find("<<") == arrows)
            return here_string(line, arrows);
        return here_document(line);
    }
    if (const size_t pipe = line.rfind('|'); pipe != line.npos) return behind_pipe(line, pipe);
    if (input == line.npos) return batch_of(Feed::own, line, {});
    const std::string_view file = without_blanks(line.substr(input + 1));
    if (!is_plain_word(file) || file == "-") return {};
    return batch_of(Feed::file, line.substr(0, input), std::string(file));
}

}  // namespace

std::optional<FedBatch> fed_batch(std::string_view line) {
    for (const std::string_view shell : {"bash", "sh", "dash"}) {
        const size_t end = std::min(line.find(' '), line.size());
        const std::string_view name = line.substr(0, end);
        constexpr std::string_view option = " -c ";
        if (base_name(name) != shell || !line.substr(end).starts_with(option)) continue;
        const auto text =
            is_plain_word(name)
                ? Quotes(without_blanks(line.substr(end + option.size())), false).word()
                : std::nullopt;
        if (!text) return {};
        auto batch = batch_in(*text, shell == "bash");
        if (batch) batch->shell = name;
        return batch;
    }
    return batch_in(line, false);
}

}  // namespace nlsh
