/* SPDX-License-Identifier: MIT OR Unlicense

   test_fuzz_api.c: a short run of the fuzz target tests/fuzz/api.c, the same every time. What it checks aborts. */
#include "utest.h"

#include "fuzz/api.c"
#include "fuzz/replay.h"

UTEST(fuzz_api, seeds_and_changes)
{
    int rounds = 3000 / TEST_SHARE;
    replay_seeds(api_seeds, (int)(sizeof api_seeds / sizeof *api_seeds), rounds);
    EXPECT_TRUE(rounds > 0);
}

UTEST(fuzz_api, corpus_and_everything_ever_found)
{
    EXPECT_TRUE(replay_corpus(KINEMATIC_DIM == 2 ? "api2-" : "api3-") > 0);
}

UTEST_MAIN()
