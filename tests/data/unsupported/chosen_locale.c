// expect: unknown(unsupported: library function)
// In UTF-8, the two bytes are one character.
#include <assert.h>
#include <locale.h>
#include <stdlib.h>

int main(void)
{
    wchar_t c;
    const char *text = "\xc3\xa9";
    setlocale(LC_ALL, "C.UTF-8");
    assert(mbtowc(&c, text, 2) <= 1);
    return 0;
}
