// expect: true
// checks: memory,free,leak
#include <dirent.h>

int main(int argc, char **argv)
{
    DIR *folder = opendir(argc > 1 ? argv[1] : ".");
    int count = 0;
    if (!folder)
        return 1;
    while (count < 10 && readdir(folder))
        count++;
    closedir(folder);
    return count;
}
