/* nlsh, exec'd in the place of ip, bridge or a shell with a line. */
#include <stddef.h>
#include <string.h>

#include "preload/caller/certain.h"
#include "preload/caller/place.h"
#include "preload/exec/exec.h"
#include "preload/libc/text.h"

/* nlsh accepts a shell's name if it is `sh`, the shell's path, or the path's last part
 * (shim/process/exec_line.cpp). */
static bool is_known_shell(const struct program* program) {
    const char* const name = program->arguments[0];
    return text_equal(name, "sh") || text_equal(name, program->file) ||
           text_equal(name, text_base(program->file));
}

/* Joins the words into a line, for guesses only: without quotes, and cut where `text` is full. */
static void join(char* const* words, char* text, size_t size) {
    size_t at = 0;
    for (char* const* word = words; *word; ++word) {
        for (const char* from = *word; *from && at + 2 < size; ++from)
            text[at++] = strchr(" \t\n;|&(){}<>!`'\"$\\", *from) ? '_' : *from;
        if (word[1] && at + 2 < size) text[at++] = ' ';
    }
    text[at] = 0;
}

static bool is_started(struct instead* instead, const struct program* program, const char* line,
                       const char* reason) {
    enum { GUESSED = 512 };
    char text[GUESSED];
    if (!line) join(program->arguments, text, sizeof text);
    return spawned_prepare_exec(&instead->spawned, program->way, line ? line : text, reason);
}

bool replaced_prepare(struct instead* instead, const struct program* program, const char* line,
                      const char* reason) {
    size_t count = 0;
    while (program->arguments[count])
        if (++count > REPLACED_MAX) return false;
    if (line && (working_directory_is_gone() || !is_known_shell(program))) return false;
    if (!is_started(instead, program, line, reason) ||
        !exec_is_certain(program->file, program->environment))
        return false;
    char** const words = instead->words;
    words[0] = instead->spawned.function;
    words[1] = (char*)(size_t)"--exec";
    words[2] = (char*)(size_t)program->file;
    memcpy(words + REPLACED_WORDS, program->arguments, (count + 1) * sizeof *words);
    return true;
}
