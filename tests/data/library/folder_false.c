// expect: false
// checks: memory
#include <dirent.h>

int main(int argc, char **argv)
{
    DIR *folder = opendir(argc > 1 ? argv[1] : ".");
    struct dirent *entry = readdir(folder);
    return entry != 0;
}
