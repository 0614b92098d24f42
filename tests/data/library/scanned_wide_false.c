// expect: false
// checks: memory
// harness: sanitizers know no wide texts
// Two wide characters and the zero do not fit.
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t word[2];
    scanf("%*s %2ls", word);
    return 0;
}
