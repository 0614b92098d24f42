// expect: true
#include <assert.h>

int main(void)
{
    char text[8];
    __builtin_memcpy(text, "abc", 4);
    assert(__builtin_strlen(text) == 3);
    assert(__builtin_isalpha(text[1]) && !__builtin_isdigit('x'));
    assert(__builtin_toupper('b') == 'B');
    assert(__builtin_sprintf(text, "%d", 42) == 2 && text[1] == '2');
    assert(__builtin_abs(-2) == 2);
    return 0;
}
