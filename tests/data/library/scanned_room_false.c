// expect: false
// checks: memory
#include <stdio.h>

int main(void)
{
    char word[3];
    sscanf("abc", "%3s", word);
    return word[0];
}
