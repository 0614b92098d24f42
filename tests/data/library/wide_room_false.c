// expect: false
// checks: memory
#include <wchar.h>

int main(void)
{
    wchar_t text[3] = L"ab";
    wcscat(text, L"c");
    return (int)text[0];
}
