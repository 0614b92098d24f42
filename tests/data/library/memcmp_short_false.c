// expect: false
// checks: memory
// All bytes have to be there, wherever the first difference is (C11, 7.24.4.1).
#include <string.h>

int main(void)
{
    char word[4] = "abc";
    return memcmp(word, "xbcdefgh", 6) == 0;
}
