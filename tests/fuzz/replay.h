/* SPDX-License-Identifier: MIT OR Unlicense

   replay.h: a fuzz target without a fuzzer: its seeds, the same with chance changes that are the same every time, and
   a small corpus with all inputs that ever broke something (tests/fuzz/corpus; names begin with target and dimension:
   api2-..., snapshot3-...). */
#ifndef FUZZ_REPLAY_H
#define FUZZ_REPLAY_H

#include <dirent.h>

static uint64_t replay_dice = 1;

static uint32_t replay_roll(uint32_t n)
{
    replay_dice = replay_dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(replay_dice >> 33) % n;
}

/* In memory of its own, so that reading beyond the end is seen. */
static void replay_input(const uint8_t *data, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size ? size : 1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay_change(pen *p)
{
    uint32_t at = replay_roll((uint32_t)p->length), from, length;
    switch (replay_roll(4)) {
    case 0: p->at[at] = (uint8_t)replay_roll(256); break;
    case 1: p->at[at] = (uint8_t)(p->at[at] ^ 128); break;
    case 2: p->length = at + 1; break;
    default:
        from = replay_roll((uint32_t)p->length);
        length = 1 + replay_roll(24);
        while (length-- > 0 && from < p->length) put(p, p->at[from++]);
    }
}

static void replay_seeds(const seed *seeds, int count, int rounds)
{
    int i, changes;
    for (i = 0; i < rounds; i++) {
        pen p;
        p.length = 0;
        seeds[i % count].write(&p);
        for (changes = i < count ? 0 : 1 + (int)replay_roll(12); changes > 0; changes--) replay_change(&p);
        replay_input(p.at, p.length);
    }
}

static void replay_file(const char *path)
{
    static pen p;
    FILE      *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    p.length = fread(p.at, 1, sizeof p.at, file);
    fclose(file);
    printf("%s\n", path);
    replay_input(p.at, p.length);
}

/* How many there were. */
static int replay_corpus(const char *prefix)
{
    DIR           *folder = opendir("tests/fuzz/corpus");
    struct dirent *entry;
    int            count = 0;
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[600];
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
        snprintf(path, sizeof path, "tests/fuzz/corpus/%s", entry->d_name);
        replay_file(path);
        count++;
    }
    if (folder) closedir(folder);
    return count;
}

#endif
