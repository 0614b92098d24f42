// expect: true
// No locale has characters beyond those of Unicode.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    wchar_t character;
    char text[2] = {(char)0xa2, 0};
    if (mbtowc(&character, text, 2) == 1)
        assert(character >= 0 && character <= 0x10ffff);
    return 0;
}
