/* SPDX-License-Identifier: MIT OR Unlicense

   2D and 3D in one program; this file knows neither. */
int use_flat(void);
int use_space(void);

int main(void)
{
    return use_flat() && use_space() ? 0 : 1;
}
