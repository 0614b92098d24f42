// expect: false
// checks: overflow
#include <stdio.h>
int main(void)
{
    char line[24] = "";
    int n = 0, total = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (line[0] != 'n' || line[1] != '=')
        return 1;
    for (int i = 0; i < 2; i++) {
        if (scanf("%d", &n) != 1 || n < 0)
            return 1;
        total += n;
    }
    return total;
}
