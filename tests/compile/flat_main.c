/* SPDX-License-Identifier: MIT OR Unlicense

   A program with one dimension only. */
int use_flat(void);

int main(void)
{
    return use_flat() ? 0 : 1;
}
