// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = 0, b = 0, at = 0;
    char word[4];
    assert(sscanf("12:0x1f rest", "%d:%i%n", &a, &b, &at) == 2 && a == 12 && b == 31 && at == 7);
    assert(sscanf("abcdef", "%3s%c", word, (char *)&a) == 2 && !strcmp(word, "abc"));
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF);
    return 0;
}
