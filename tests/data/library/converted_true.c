// expect: true
// checks: assertions,memory,free,overflow
// Texts become numbers and other texts, in the C locale.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t wide[4];
    assert(mbstowcs(wide, "7f", 4) == 2 && wide[1] == L'f' && wide[2] == 0);
    wchar_t *end;
    assert(wcstol(wide, &end, 16) == 127 && end == wide + 2);
    char narrow[3];
    assert(wcstombs(narrow, wide, 3) == 2 && strcmp(narrow, "7f") == 0);
    assert(iswctype(L'7', wctype("digit")) && !iswctype(L'f', wctype("digit")));
    assert(towctrans(L'f', wctrans("toupper")) == L'F');
    char options[] = "size=4,fast";
    char *tokens[] = {"fast", "size", NULL}, *at = options, *value;
    assert(getsubopt(&at, tokens, &value) == 1 && value == options + 5 && *value == '4');
    assert(getsubopt(&at, tokens, &value) == 0 && value == NULL && *at == 0);
    return 0;
}
