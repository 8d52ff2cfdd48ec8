#include "preload/match.h"

#include <stddef.h>
#include <string.h>

static bool starts_word(char before) {
    return strchr(" \t\n/;&|({!`'\"=", before) != NULL;
}

static bool ends_word(char after) {
    return strchr(" \t\n;&|)}<>`'\"", after) != NULL;
}

/* Does `word` stand somewhere in the line as a word of its own? strchr finds the end's NUL too. */
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

bool may_be_native(const char* line) {
    /* Loops; objects of ip; programs that appear beside ip. */
    static const char others[][12] = {
        "for",         "while",   "until", "case",    "xfrm",     "l2tp",      "macsec",
        "mptcp",       "ioam",    "fou",   "ila",     "sr",       "exec",      "mrule",
        "tcp_metrics", "tc",      "dcb",   "ethtool", "iptables", "ip6tables", "nft",
        "monitor",     "python3", "kill",  "rm",      "modprobe", "ifconfig",  "-V"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (has_word(line, others[i])) return false;
    return true;
}

bool may_lack_outputs(const char* line) {
    static const char* const others[] = {"echo", "printf", "sysctl", "brctl", "cat"};
    if (strpbrk(line, "|<>") != NULL) return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (has_word(line, others[i])) return false;
    return true;
}

/* An object without a verb is shown: "ip -d addr". */
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
    return may_show(line) || strstr(line, " | ") || strstr(line, "echo ") || strstr(line, "printf ");
}

bool may_complain(const char* line) {
    const bool goes_on = strpbrk(line, "|;\n") || strstr(line, "&&");
    return strstr(line, ">&2") || (goes_on && may_show(line));
}
