// expect: true
// checks: memory
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char block[64], date[32];
    int counts[256] = {0};
    int file = open("data", O_RDONLY);
    if (file == -1)
        return 1;
    ssize_t n = read(file, block, sizeof block - 1);
    if (n < 0)
        return 1;
    block[n] = 0;
    size_t m = fread(block, 1, 32, stdin);
    block[m] = 0;
    int c = getchar();
    if (c != EOF)
        counts[c]++;
    time_t now = 0;
    date[strftime(date, sizeof date, "%F", gmtime(&now))] = 0;
    assert(file >= 0 && close(file) <= 0);
    return 0;
}
