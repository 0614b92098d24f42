// expect: true
// What is printed into memory is known to the character, and cut as the room demands.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[8];
    assert(snprintf(text, sizeof text, "%d!", -4711) == 6);
    assert(!strcmp(text, "-4711!"));
    assert(snprintf(text, 4, "%#x", 48879u) == 6);
    assert(!strcmp(text, "0xb"));
    assert(sprintf(text, "%-3s|%c", "a", 'z') == 5);
    assert(!strcmp(text, "a  |z"));
    return 0;
}
