#include "preload/client/match.h"

#include <stddef.h>
#include <string.h>

static bool starts_word(char before) {
    return strchr(" \t\n/;&|({!`'\"=", before) != NULL;
}

static bool ends_word(char after) {
    return strchr(" \t\n;&|)}<>`'\"", after) != NULL;
}

/* Whether `word` is in the line as a whole word. strchr finds the final NUL, too. */
static bool has_word(const char* line, const char* word) {
    const size_t length = strlen(word);
    for (const char* at = strstr(line, word); at; at = strstr(at + 1, word)) {
        if ((at == line || starts_word(at[-1])) && ends_word(at[length])) return true;
    }
    return false;
}

bool may_be_ours(const char* line) {
    return has_word(line, "ip") || has_word(line, "bridge") || strstr(line, "/proc/sys/") != NULL ||
           has_word(line, "sysctl") || has_word(line, "brctl");
}

/* Commands that nlsh knows (parser/shell, parser/filter), and words before or after a command. */
static bool is_known(const char* word, size_t length, bool* before_command) {
    static const char before[][6] = {"if", "then", "elif", "else", "while", "do"};
    static const char known[][8] = {"ip",   "bridge", "brctl", "sysctl", "sh",   "bash", "dash",
                                    "echo", "printf", "true",  "false",  "exit", "test", "set",
                                    "grep", "egrep",  "fgrep", "sed",    "tr",   "awk",  "mawk",
                                    "gawk", "cut",    "head",  "tail",   "wc",   "sort", "uniq",
                                    "cat",  "fi",     "for",   "done",   "read"};
    *before_command = false;
    for (size_t i = 0; i < sizeof before / sizeof *before; ++i)
        if (strlen(before[i]) == length && strncmp(word, before[i], length) == 0)
            return *before_command = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strlen(known[i]) == length && strncmp(word, known[i], length) == 0) return true;
    return false;
}

/* Skips a command's word: plain letters up to a blank or an operator. NULL: nlsh doesn't know it.
 */
static const char* skip_command(const char* at, bool* before_command) {
    const char* const end = at + strcspn(at, " \t\n;&|()<>'\"$`\\=*?");
    const char* base = at;
    for (const char* slash = at; slash < end; ++slash)
        if (*slash == '/') base = slash + 1;
    *before_command = false;
    if (*end && strchr("'\"$`\\=*?", *end)) return end; /* the server decides */
    return is_known(base, (size_t)(end - base), before_command) ? end : NULL;
}

static bool knows_commands(const char* line) {
    bool command = true; /* a command may begin here */
    for (const char* at = line; *at;) {
        const bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '/';
        if (command && letter) {
            at = skip_command(at, &command);
            if (!at) return false;
            continue;
        }
        if (*at == '\'' || *at == '"') {
            const char* const end = strchr(at + 1, *at);
            if (!end) return true;
            at = end;
        }
        if (*at == '<' && at[1] == '<') return true;    /* a batch may follow */
        const bool copies = at > line && at[-1] == '>'; /* >&2 */
        if (strchr(";|&({\n!`", *at) && !copies) {
            command = true;
        } else if (*at != ' ' && *at != '\t') {
            command = false;
        }
        ++at;
    }
    return true;
}

bool may_be_native(const char* line) {
    static const char others[][12] = {"until", "case",  "xfrm",   "l2tp",        "fou",
                                      "ila",   "sr",    "macsec", "tcp_metrics", "mrule",
                                      "ioam",  "mptcp", "-V",     "monitor",     "help"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (has_word(line, others[i])) return false;
    /* ip netns exec NAME ip … is native. */
    const char* const exec = strstr(line, " exec ");
    if (exec && !has_word(exec + 1, "ip") && !has_word(exec + 1, "bridge")) return false;
    return knows_commands(line);
}

bool may_lack_outputs(const char* line) {
    static const char others[][8] = {"echo", "printf", "sysctl", "brctl", "cat"};
    if (strpbrk(line, "|<>") != NULL) return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (has_word(line, others[i])) return false;
    return true;
}

/* An object without a verb is a show: "ip -d addr". */
static bool lacks_verb(const char* line) {
    int words = 0;
    for (const char* at = line; *at != '\0'; ++at) {
        const bool begins = at == line || at[-1] == ' ';
        if (begins && *at != ' ' && *at != '-') ++words;
    }
    return words <= 2;
}

static bool may_show(const char* line) {
    return strstr(line, "show") || strstr(line, "list") || strstr(line, " get ") ||
           strstr(line, "stats") || lacks_verb(line);
}

bool may_print(const char* line) {
    if (strstr(line, "grep -q") || strstr(line, "/dev/null")) return false;
    return may_show(line) || strstr(line, " | ") || strstr(line, "echo ") ||
           strstr(line, "printf ");
}

/* The verbs of a command, up to an operator of the shell. */
static bool has_change(const char* command, size_t length) {
    static const char verbs[][8] = {"set", "add", "del", "delete", "replace", "append", "change"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
        const size_t size = strlen(verbs[i]);
        for (const char* at = command; at + size < command + length; ++at)
            if (at[0] == ' ' && strncmp(at + 1, verbs[i], size) == 0 && ends_word(at[1 + size]))
                return true;
    }
    return false;
}

bool only_changes(const char* line) {
    if (strpbrk(line, "<>`$") != NULL || strstr(line, " -e") != NULL) return false; /* -echo */
    while (*line != '\0') {
        const size_t length = strcspn(line, ";&|\n");
        const bool blank = strspn(line, " \t\"'") >= length;
        if (!blank && !has_change(line, length)) return false;
        line += length;
        if (line[0] == '|' && line[1] != '|') return false;
        line += strspn(line, ";&|\n");
    }
    return true;
}

/* The length of the word at `*at`; moves `*at` to the next word. */
static size_t next_word(const char** at) {
    const size_t length = strcspn(*at, " ");
    *at += length;
    while (**at == ' ')
        ++*at;
    return length;
}

static bool is_word(const char* word, size_t length, const char* wanted) {
    return strlen(wanted) == length && strncmp(word, wanted, length) == 0;
}

static bool is_output_option(const char* word, size_t length) {
    static const char options[][4] = {"-o", "-d", "-s", "-j", "-p", "-4", "-6", "-br"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        if (is_word(word, length, options[i])) return true;
    return false;
}

/* Whether the line ends at `end`, or with 2>&1 or 2>/dev/null. */
static bool ends_plainly(const char* line, const char* end) {
    if (*end == 0) return true;
    if (strcmp(end, ">&1") != 0 && strcmp(end, ">/dev/null") != 0) return false;
    return end - line >= 2 && end[-1] == '2' && end[-2] == ' ';
}

bool is_plain_show(const char* line) {
    const char* at = line;
    const char* const end = line + strcspn(line, "\t\n;|&()<>{}$`'\"\\*?[#!=~");
    if (!ends_plainly(line, end)) return false;
    const char* word = at;
    size_t length = next_word(&at);
    for (const char* slash = word; slash < line + length; ++slash)
        if (*slash == '/') word = slash + 1;
    length -= (size_t)(word - line);
    if (!is_word(word, length, "ip") && !is_word(word, length, "bridge")) return false;
    do {
        word = at;
        length = next_word(&at);
    } while (is_output_option(word, length));
    if (length == 0 || *word == '-') return false; /* the object */
    word = at;
    length = next_word(&at);
    return is_word(word, length, "show");
}
