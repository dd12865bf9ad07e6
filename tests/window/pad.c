/* SPDX-License-Identifier: MIT OR Unlicense

   pad.c: the window with a virtual gamepad. After a second its stick is pushed to the right, half a second later it is
   let go and A is pressed. */
#define main window_main
#include "../../examples/window/window.c"
#undef main

static Uint32 press(Uint32 milliseconds, void *pad)
{
    static int calls;
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_LEFTX, calls == 0 ? 32767 : 0);
    SDL_JoystickSetVirtualButton(pad, SDL_CONTROLLER_BUTTON_A, calls == 1);
    return calls++ == 0 ? milliseconds / 2 : 0;
}

int main(int count, char **arguments)
{
    SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_TIMER);
    int pad = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                        SDL_CONTROLLER_BUTTON_MAX, 0);
    if (pad < 0) return fprintf(stderr, "SDL: %s\n", SDL_GetError()), 1;
    SDL_AddTimer(1000, press, SDL_JoystickOpen(pad));
    return window_main(count, arguments);
}
