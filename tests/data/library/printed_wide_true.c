// expect: true
// checks: memory
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t name[3] = L"ab";
    wprintf(L"%ls %s\n", name, "narrow");
    printf("%.2s%ls\n", "", name);
    fputws(name, stdout);
    return 0;
}
