// expect: true
// Library functions whose parameters only let them read change nothing, and others leave alone what they are not given.
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int here = 3;
    unsigned seed = 1;
    wchar_t text[2] = {'a', 0};
    write(1, &here, sizeof here);
    wcslen(text);
    rand_r(&seed);
    check(here == 3 && text[0] == 'a');
    return 0;
}
