// expect: true
// witness: the length of an argument of `main` has no bound, and invariants over all of its characters take quantifiers.
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
