// expect: false
// Whether a byte beyond ASCII is a character depends on the library.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    wchar_t c;
    assert(mbtowc(&c, "\xe9", 1) == 1);
    return 0;
}
