// expect: true
#include <assert.h>
#include <string.h>

int main(void)
{
    char line[] = "echo", *rest, *first = strtok_r(line, " \n", &rest);
    while (*rest == ' ')
        rest++;
    assert(first == line && *rest == 0);
    assert(!strtok_r(NULL, " ", &rest) && *rest == 0);
    char list[] = "a,,b";
    assert(strtok(list, ",") == list && strtok(NULL, ",") == list + 3 && !strtok(NULL, ","));
    return 0;
}
