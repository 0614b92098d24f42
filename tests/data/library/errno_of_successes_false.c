// expect: false
// checks: assertions
// malloc: may-fail
// What does not fail may leave errno as it was, or not.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    char *block = malloc(4);
    if (!block) {
        assert(errno == ENOMEM);
        return 0;
    }
    char *grown = realloc(block, 8);
    if (!grown)
        assert(errno == ENOMEM);
    errno = 0;
    int file = open("file", O_RDONLY);
    if (file == -1)
        assert(errno > 0);
    char byte;
    errno = 0;
    if (read(file, &byte, 1) >= 0)
        assert(errno != 0);
    free(grown ? grown : block);
    return 0;
}
