// Parts of paths, and addresses in networks.
#include <arpa/inet.h>
#include <errno.h>
#include <libgen.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

static const char *const paths[] = {"", "/", "//", "///", "a", "a/", "a//", "/a", "/a/", "//a", "//a/", "///a", "a/b", "a/b/", "a//b//", "/a/b",
                                    "/usr/lib/", "//a//b", ".", "..", "../x", "a/b/c.d"};
static const char *const addresses[] = {"", "1", "1.2", "1.2.3", "1.2.3.4", "1.2.3.4.5", "255.255.255.255", "256.1.1.1", "1.256.1", "1.16777215", "1.16777216",
                                        "4294967295", "4294967296", "0x7f.1", "010.8.0x10.1", "08.1", " 1.2.3.4", "1.2.3.4 x", "1.2.3.4x", "1..2", "1.", "a.b",
                                        "-1", "+1", "1.2.65535", "1.2.65536", "1.2.3.255", "1.2.3.256", "0x", "99999999999999999999999"};

int main(void)
{
    char path[32];
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        strcpy(path, paths[i]);
        char *folder = dirname(path);
        printf("%s: %s", paths[i], folder);
        strcpy(path, paths[i]);
        char *last = basename(path);
        printf(" %s %s\n", last, path);
    }
    printf("%s %s\n", dirname(NULL), __xpg_basename(NULL));
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct in_addr address = {77};
        int result = inet_aton(addresses[i], &address);
        printf("%s: %d %u %s", addresses[i], result, address.s_addr, inet_ntoa(address));
        result = inet_aton(addresses[i], NULL);
        printf(" %u %d", inet_addr(addresses[i]), result);
        errno = 0;
        inet_addr(addresses[i]);
        printf(" %d\n", errno);
    }
    for (unsigned long long device = 1; device; device <<= 3) {
        unsigned high = gnu_dev_major(device * 5), low = gnu_dev_minor(device * 5);
        printf("%u %u %llx\n", high, low, (unsigned long long)gnu_dev_makedev(high + 4097, low * 3));
    }
    return 0;
}
