// expect: true
// What is printed may lie where it is printed to; a format that is not understood as a whole means the same.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[24] = "4";
    int length = sprintf(text, "%d%c%c%%", 7, text[0], text[0]);
    assert(length == 4);
    assert(text[0] == '7' && text[1] == '4' && text[2] == '4' && text[3] == '%' && !text[4]);
    length = snprintf(text, 6, "%-3d|%03hhx|%*d", -5, 0x1ff, 4, 9);
    assert(length == 12);
    assert(text[0] == '-' && text[1] == '5' && text[2] == ' ' && text[3] == '|' && text[4] == '0' && !text[5]);
    length = snprintf(text, sizeof text, "%+ld %.2s%3c", 12L, "abc", 'x');
    assert(length == 9);
    assert(text[0] == '+' && text[3] == ' ' && text[5] == 'b' && text[6] == ' ' && text[8] == 'x' && !text[9]);
    return 0;
}
