// expect: false
// checks: memory,free
#include <dirent.h>

int main(void)
{
    DIR *folder = opendir(".");
    if (!folder)
        return 1;
    closedir(folder);
    return closedir(folder);
}
