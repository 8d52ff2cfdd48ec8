// Plays a build of iproute2: runs the real ip or bridge, and edits some of its texts. The edits are
// in a file beside it that is called as it is, with ".edits": the real program's path, then
// a line for each edit, its columns parted by tabs. WHEN and PATTERN are extended regular
// expressions (WHEN of the words, joined by blanks); \n and \t stand for themselves, \1 to \9 for
// what a group has matched.
//   out    WHEN  PATTERN  REPLACEMENT   what is printed, stdout and stderr: each match
//   words  WHEN  PATTERN  REPLACEMENT   what the real one is given
//   says   WHEN  STATUS   TEXT          on stderr, and the real one isn't run
// To a terminal the real one prints by itself.
#define _GNU_SOURCE
#include <err.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 4, EDITS = 64, GROUPS = 10, WORDS = 256 };
struct edit {
    char* column[COLUMNS];
};

// What iproute2's file has, for those that look there.
__attribute__((used)) static const char constants[] = CONSTANTS;

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

static size_t read_edits(struct edit* edits, char* real) {
    char path[4096] = "";
    if (readlink("/proc/self/exe", path, sizeof path - sizeof ".edits") < 0)
        err(99, "/proc/self/exe");
    FILE* file = fopen(strcat(path, ".edits"), "r");
    if (file == NULL) err(99, "%s", path);
    char* line = NULL;
    size_t room = 0, count = 0;
    for (int first = 1; getline(&line, &room, file) > 0; first = 0) {
        line[strcspn(line, "\n")] = '\0';
        if (first) {
            strcpy(real, line);
            continue;
        }
        char* rest = strdup(line);
        for (int i = 0; i < COLUMNS; ++i) {
            char* column = strsep(&rest, "\t");
            if (column == NULL || count == EDITS) errx(99, "%s: %s", path, line);
            unescape(edits[count].column[i] = column);
        }
        ++count;
    }
    fclose(file);
    return count;
}

static int run(char** words, int out, int error) {
    const pid_t child = fork();
    if (child == 0) {
        dup2(out, 1);
        dup2(error, 2);
        execv(words[0], words);
        err(99, "%s", words[0]);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) raise(WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void print_edited(int to, int file, const char* words, const struct edit* edits,
                         size_t count) {
    const off_t size = lseek(file, 0, SEEK_END);
    char* text = calloc(1, (size_t)size + 1);
    if (pread(file, text, (size_t)size, 0) != size) err(99, "read");
    for (size_t i = 0; i < count; ++i) {
        char* const* column = edits[i].column;
        if (strcmp(column[0], "out") == 0 && matches(column[1], words, NULL))
            text = edited(text, column[2], column[3]);
    }
    if (*text != '\0' && dprintf(to, "%s", text) < 0) exit(1);
}

int main(int argc, char** argv) {
    static struct edit edits[EDITS];
    static char real[4096];
    const size_t count = read_edits(edits, real);
    if (isatty(1)) {
        argv[0] = real;
        execv(real, argv);
        err(99, "%s", real);
    }
    char* said = strdup("");
    for (int i = 1; i < argc; ++i)
        asprintf(&said, "%s%s%s", said, i > 1 ? " " : "", argv[i]);
    char* given[WORDS] = {real};
    memcpy(given + 1, argv + 1, sizeof *argv * (size_t)(argc < WORDS - 1 ? argc : WORDS - 2));
    for (size_t i = 0; i < count; ++i) {
        char* const* column = edits[i].column;
        if (!matches(column[1], said, NULL)) continue;
        if (strcmp(column[0], "says") == 0) {
            fputs(column[3], stderr);
            return atoi(column[2]);
        }
        if (strcmp(column[0], "words") != 0) continue;
        char* rest = edited(said, column[2], column[3]);
        int word = 1;
        while ((given[word] = strsep(&rest, " ")) != NULL)
            ++word;
    }
    struct stat out, error;
    const int together = fstat(1, &out) == 0 && fstat(2, &error) == 0 &&
                         out.st_dev == error.st_dev && out.st_ino == error.st_ino;
    const int first = memfd_create("stdout", 0),
              second = together ? first : memfd_create("stderr", 0);
    const int status = run(given, first, second);
    if (!together) print_edited(2, second, said, edits, count);
    print_edited(1, first, said, edits, count);
    return status;
}
