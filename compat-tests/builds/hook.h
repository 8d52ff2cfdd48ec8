// For libraries that a build of iproute2 needs (other_build.py): they play what it does otherwise.
// dl_iterate_phdr(hook_program, &hook) puts a hook in place.
#pragma once

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The program's own calls of a function become calls of another.
struct hook {
    const char* name;
    void* with;
};

static void hook_in(const struct dl_phdr_info* program, const ElfW(Rela) * table, size_t size,
                    const ElfW(Sym) * symbols, const char* texts, struct hook* hook) {
    for (size_t i = 0; i < size / sizeof *table; ++i) {
        const ElfW(Sym)* symbol = &symbols[ELF64_R_SYM(table[i].r_info)];
        if (strcmp(texts + symbol->st_name, hook->name) != 0) continue;
        void** place = (void**)(program->dlpi_addr + table[i].r_offset);
        const uintptr_t page = (uintptr_t)place & ~(uintptr_t)(getpagesize() - 1);
        if (mprotect((void*)page, (size_t)getpagesize(), PROT_READ | PROT_WRITE) != 0) _exit(98);
        *place = hook->with;
    }
}

static int hook_program(struct dl_phdr_info* program, size_t size, void* hook) {
    (void)size;
    const ElfW(Rela) * tables[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    const ElfW(Sym)* symbols = NULL;
    const char* texts = NULL;
    for (int i = 0; i < program->dlpi_phnum; ++i) {
        if (program->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn)* each =
            (const ElfW(Dyn)*)(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
        for (; each->d_tag != DT_NULL; ++each) {
            if (each->d_tag == DT_RELA) tables[0] = (const ElfW(Rela)*)each->d_un.d_ptr;
            if (each->d_tag == DT_RELASZ) sizes[0] = each->d_un.d_val;
            if (each->d_tag == DT_JMPREL) tables[1] = (const ElfW(Rela)*)each->d_un.d_ptr;
            if (each->d_tag == DT_PLTRELSZ) sizes[1] = each->d_un.d_val;
            if (each->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym)*)each->d_un.d_ptr;
            if (each->d_tag == DT_STRTAB) texts = (const char*)each->d_un.d_ptr;
        }
    }
    for (int i = 0; i < 2; ++i)
        if (tables[i] != NULL) hook_in(program, tables[i], sizes[i], symbols, texts, hook);
    return 1;  // the program itself is the first
}
