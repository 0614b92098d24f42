// expect: false
// checks: memory
// There is no room for the null character.
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t wide[3];
    mbstowcs(wide, "abc", 4);
    return 0;
}
