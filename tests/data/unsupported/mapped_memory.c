// expect: unknown(unsupported: library function)
// checks: memory
// What is mapped is as large as was asked for, and ends with `munmap`.
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    page[4095] = 1;
    return munmap(page, 4096);
}
