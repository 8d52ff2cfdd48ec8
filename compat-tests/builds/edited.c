// Plays a build of iproute2, as a library that its ip or bridge needs (other_build.py): edits some
// of its texts. The edits are in a file beside the program that is called as it is, with ".edits":
// a line for each edit, its columns parted by tabs. WHEN and PATTERN are extended regular
// expressions (WHEN of the words, joined by blanks); \n and \t stand for themselves, \1 to \9 for
// what a group has matched.
//   out    WHEN  PATTERN  REPLACEMENT   what is printed, stdout and stderr: each match
//   words  WHEN  PATTERN  REPLACEMENT   what the program is given
//   says   WHEN  STATUS   TEXT          on stderr, and the program does nothing
// To a terminal it prints by itself.
#define _GNU_SOURCE
#include <err.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hook_main.h"

enum { COLUMNS = 4, EDITS = 64, GROUPS = 10, WORDS = 256, BUFFER = 4096 };
struct edit {
    char* column[COLUMNS];
};
// What goes to one file: stdout and stderr may be the same one.
struct capture {
    char* text;
    size_t size;
    int descriptor;
};

static struct edit edits[EDITS];
static size_t edit_count;
static char* said;  // the words that the program was given
static struct capture captures[2];

static void unescape(char* text) {
    char* to = text;
    for (; *text != '\0'; ++text) {
        const char next = *text == '\\' ? text[1] : '\0';
        if (next != 'n' && next != 't') {
            *to++ = *text;
            continue;
        }
        *to++ = next == 'n' ? '\n' : '\t';
        ++text;
    }
    *to = '\0';
}

static int matches(const char* pattern, const char* text, regmatch_t* groups) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) errx(99, "bad pattern: %s", pattern);
    const int found = regexec(&compiled, text, groups == NULL ? 0 : GROUPS, groups, 0) == 0;
    regfree(&compiled);
    return found;
}

// Each match, from left to right.
static char* edited(const char* text, const char* pattern, const char* replacement) {
    char* result;
    size_t size;
    FILE* out = open_memstream(&result, &size);
    regmatch_t groups[GROUPS];
    while (*text != '\0' && matches(pattern, text, groups)) {
        fwrite(text, 1, (size_t)groups[0].rm_so, out);
        for (const char* at = replacement; *at != '\0'; ++at) {
            if (*at != '\\' || at[1] < '1' || at[1] > '9') {
                fputc(*at, out);
                continue;
            }
            const regmatch_t* group = &groups[*++at - '0'];
            if (group->rm_so >= 0)
                fwrite(text + group->rm_so, 1, (size_t)(group->rm_eo - group->rm_so), out);
        }
        if (groups[0].rm_eo == 0)
            fputc(*text++, out);  // an empty match at the start
        else
            text += groups[0].rm_eo;
    }
    fputs(text, out);
    fclose(out);
    return result;
}

static void read_edits(void) {
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - sizeof ".edits") < 0)
        err(99, "/proc/self/exe");
    FILE* file = fopen(strcat(path, ".edits"), "r");
    if (file == NULL) err(99, "%s", path);
    char* line = NULL;
    for (size_t room = 0; getline(&line, &room, file) > 0; ++edit_count) {
        line[strcspn(line, "\n")] = '\0';
        char* rest = strdup(line);
        for (int i = 0; i < COLUMNS; ++i) {
            char* column = strsep(&rest, "\t");
            if (column == NULL || edit_count == EDITS) errx(99, "%s: %s", path, line);
            unescape(edits[edit_count].column[i] = column);
        }
    }
    free(line);
    fclose(file);
}

static int counts(const struct edit* edit, const char* kind) {
    return strcmp(edit->column[0], kind) == 0 && matches(edit->column[1], said, NULL);
}

static ssize_t keep(void* cookie, const char* bytes, size_t size) {
    struct capture* capture = cookie;
    char* text = realloc(capture->text, capture->size + size + 1);
    if (text == NULL) return 0;
    memcpy(text + capture->size, bytes, size);
    capture->text = text;
    text[capture->size += size] = '\0';
    return (ssize_t)size;
}

static void print_edited(struct capture* capture) {
    if (capture->text == NULL) return;
    char* text = capture->text;
    for (size_t i = 0; i < edit_count; ++i)
        if (counts(&edits[i], "out")) text = edited(text, edits[i].column[2], edits[i].column[3]);
    for (const char* rest = text; *rest != '\0';) {
        const ssize_t written = write(capture->descriptor, rest, strlen(rest));
        if (written <= 0) _exit(1);
        rest += written;
    }
}

static void print_all(void) {
    fflush(stdout);
    fflush(stderr);
    print_edited(&captures[1]);
    print_edited(&captures[0]);
}

static void capture_output(void) {
    static char buffer[BUFFER];
    struct stat out, error;
    const int together = fstat(1, &out) == 0 && fstat(2, &error) == 0 &&
                         out.st_dev == error.st_dev && out.st_ino == error.st_ino;
    for (int i = 0; i < 2; ++i)
        captures[i].descriptor = i + 1;
    const cookie_io_functions_t functions = {.write = keep};
    stdout = fopencookie(&captures[0], "w", functions);
    stderr = fopencookie(&captures[together ? 0 : 1], "w", functions);
    if (stdout == NULL || stderr == NULL) _exit(99);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    setvbuf(stderr, NULL, _IONBF, 0);
    atexit(print_all);
}

static int run_main(int count, char** words, char** variables) {
    if (isatty(1)) return real_main(count, words, variables);
    said = strdup("");
    for (int i = 1; i < count; ++i)
        asprintf(&said, "%s%s%s", said, i > 1 ? " " : "", words[i]);
    char* given[WORDS] = {NULL};
    memcpy(given, words, sizeof *words * (size_t)(count < WORDS - 1 ? count : WORDS - 1));
    for (size_t i = 0; i < edit_count; ++i) {
        if (counts(&edits[i], "says")) {
            fputs(edits[i].column[3], stderr);
            return atoi(edits[i].column[2]);
        }
        if (!counts(&edits[i], "words")) continue;
        char* rest = edited(said, edits[i].column[2], edits[i].column[3]);
        for (count = 1; (given[count] = strsep(&rest, " ")) != NULL;)
            ++count;
    }
    capture_output();
    return real_main(count, given, variables);
}

__attribute__((constructor)) static void play(void) {
    read_edits();
    hook_main(run_main);
}
