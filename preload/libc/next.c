#include "preload/libc/next.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* musl lacks it. */
extern struct r_debug _r_debug __attribute__((weak));

/* A library's tables for look-ups of names. */
struct symbols {
    const ElfW(Sym) * entries;
    const char* names;
    const uint32_t* hashes; /* DT_GNU_HASH */
    const uint16_t* versions;
};

static bool read_symbols(const struct link_map* library, struct symbols* symbols) {
    *symbols = (struct symbols){0};
    for (const ElfW(Dyn)* entry = library->l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
        const void* const place = (const void*)entry->d_un.d_ptr;
        /* The kernel's own library isn't relocated. */
        if (entry->d_un.d_ptr < library->l_addr) continue;
        if (entry->d_tag == DT_SYMTAB) symbols->entries = place;
        if (entry->d_tag == DT_STRTAB) symbols->names = place;
        if (entry->d_tag == DT_GNU_HASH) symbols->hashes = place;
        if (entry->d_tag == DT_VERSYM) symbols->versions = place;
    }
    return symbols->entries && symbols->names && symbols->hashes;
}

static uint32_t hash_of(const char* name) {
    uint32_t hash = 5381;
    for (; *name; ++name)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static bool is_function(const struct symbols* symbols, uint32_t index, const char* name) {
    enum { HIDDEN = 0x8000 }; /* an old version's */
    const ElfW(Sym)* const symbol = &symbols->entries[index];
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
           !(symbols->versions && (symbols->versions[index] & HIDDEN)) &&
           strcmp(symbols->names + symbol->st_name, name) == 0;
}

/* NULL: this library lacks the name. */
static void* look_up(const struct link_map* library, const char* name, uint32_t hash) {
    enum { WORD = 8 * sizeof(ElfW(Addr)) };
    struct symbols symbols;
    if (!read_symbols(library, &symbols)) return NULL;
    const uint32_t buckets = symbols.hashes[0], first = symbols.hashes[1];
    const uint32_t filters = symbols.hashes[2], shift = symbols.hashes[3];
    const ElfW(Addr)* const filter = (const ElfW(Addr)*)&symbols.hashes[4];
    const ElfW(Addr) word = filter[(hash / WORD) % filters];
    if (!(word >> (hash % WORD) & word >> ((hash >> shift) % WORD) & 1)) return NULL;
    const uint32_t* const bucket = (const uint32_t*)&filter[filters];
    const uint32_t* const chain = bucket + buckets;
    uint32_t index = bucket[hash % buckets];
    if (index < first) return NULL;
    for (;; ++index) {
        const uint32_t known = chain[index - first];
        if ((known | 1) == (hash | 1) && is_function(&symbols, index, name))
            return (void*)(library->l_addr + symbols.entries[index].st_value);
        if (known & 1) return NULL;
    }
}

void* next_address(const char* name) {
    if (!&_r_debug) return dlsym(RTLD_NEXT, name);
    const uint32_t hash = hash_of(name);
    bool after_us = false;
    for (const struct link_map* library = _r_debug.r_map; library; library = library->l_next) {
        void* const found = after_us ? look_up(library, name, hash) : NULL;
        if (found) return found;
        after_us = after_us || library->l_ld == _DYNAMIC;
    }
    return NULL;
}

const char* own_file(void) {
    if (!&_r_debug) return NULL;
    const struct link_map* library = _r_debug.r_map;
    while (library && library->l_ld != _DYNAMIC)
        library = library->l_next;
    return library ? library->l_name : NULL;
}

/* Undefined symbols come first. If the library defines none, the hash table lacks their count: then
 * the names, which follow the symbols, mark the end. */
static size_t undefined_symbols(const struct symbols* symbols) {
    const size_t first = symbols->hashes[1];
    const char* const start = (const char*)symbols->entries;
    if (first > 1 || symbols->names < start) return first;
    return (size_t)(symbols->names - start) / sizeof *symbols->entries;
}

static size_t names_size(const struct link_map* library) {
    const ElfW(Dyn)* entry = library->l_ld;
    while (entry->d_tag != DT_NULL && entry->d_tag != DT_STRSZ)
        ++entry;
    return entry->d_tag == DT_STRSZ ? entry->d_un.d_val : 0;
}

static bool is_call(const char* name) {
    return strcmp(name, "popen") == 0 || strcmp(name, "system") == 0;
}

static bool imports_calls(const struct link_map* library) {
    struct symbols symbols;
    if (!read_symbols(library, &symbols)) return false;
    const size_t count = undefined_symbols(&symbols), size = names_size(library);
    for (size_t i = 1; i < count; ++i) {
        const ElfW(Sym)* const symbol = &symbols.entries[i];
        if (symbol->st_shndx == SHN_UNDEF && symbol->st_name < size &&
            is_call(symbols.names + symbol->st_name))
            return true;
    }
    return false;
}

bool program_calls(void) {
    if (!&_r_debug) return false;
    const struct link_map* library = _r_debug.r_map;
    while (library && !imports_calls(library))
        library = library->l_next;
    return library != NULL;
}

typedef int exec_function(const char*, char* const*, char* const*);

int next_execve(const char* path, char* const* arguments, char* const* environment) {
    NEXT(exec_function, execve);
    return execve_next(path, arguments, environment);
}

int next_execvpe(const char* file, char* const* arguments, char* const* environment) {
    NEXT(exec_function, execvpe);
    return execvpe_next(file, arguments, environment);
}
