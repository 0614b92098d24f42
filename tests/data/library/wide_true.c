// expect: true
#include <assert.h>
#include <wchar.h>

int main(void)
{
    wchar_t text[8];
    wmemset(text, L'#', 8);
    wcscpy(text, L"ab");
    wcscat(text, L"cd");
    assert(wcslen(text) == 4 && !wcscmp(text, L"abcd") && text[5] == L'#');
    assert(wcschr(text, L'c') == text + 2 && wcsstr(text, L"bc") == text + 1);
    return 0;
}
