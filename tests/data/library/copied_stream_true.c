// expect: true
// checks: memory,free
#include <stdio.h>

int main(void)
{
    FILE *from = fopen("from", "rb");
    if (!from)
        return 1;
    FILE *to = fopen("to", "wb");
    if (!to) {
        fclose(from);
        return 1;
    }
    unsigned char block[1024];
    size_t n;
    while ((n = fread(block, 1, sizeof block, from)) > 0) {
        for (size_t i = 0; i < n; i++)
            block[i] ^= 3;
        fwrite(block, 1, n, to);
    }
    fclose(from);
    fclose(to);
    return 0;
}
