// expect: false
// checks: memory
// harness: sanitizers know no wide texts
// A wide string is read up to a wide zero; as bytes, it would end behind the first character.
#include <wchar.h>

int main(void)
{
    wchar_t name[2] = {L'a', L'b'};
    wprintf(L"%d %ls\n", 3, name);
    return 0;
}
