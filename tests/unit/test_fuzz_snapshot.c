/* SPDX-License-Identifier: MIT OR Unlicense

   test_fuzz_snapshot.c: a short run of the fuzz target tests/fuzz/snapshot.c, the same every time. What it checks aborts. */
#include "utest.h"

#include "fuzz/snapshot.c"
#include "fuzz/replay.h"

UTEST(fuzz_snapshot, seeds_and_changes)
{
    int rounds = 6000 / TEST_SHARE;
    replay_seeds(snapshot_seeds, (int)(sizeof snapshot_seeds / sizeof *snapshot_seeds), rounds);
    EXPECT_TRUE(rounds > 0);
}

UTEST(fuzz_snapshot, corpus_and_everything_ever_found)
{
    EXPECT_TRUE(replay_corpus(KINEMATIC_DIM == 2 ? "snapshot2-" : "snapshot3-") > 0);
}

UTEST_MAIN()
