// Memory and strings.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const words[] = {"", "a", "b", "aa", "ab", "ba", "abc", "aBc", "abcabc", "bca", "ca", "  x y ", "\xff\x01", "a1", "a01", "a10", "a9",
                                    "a010", "000", "00", "01", "1.0", "1.10", "1.9", "foo.bar/baz", "/usr/", "c"};
enum { N = sizeof words / sizeof *words };

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void place(const char *name, const char *base, const char *at)
{
    printf(" %s %d", name, at ? (int)(at - base) : -1);
}

static void show(const char *name, const char *bytes, size_t n)
{
    printf(" %s", name);
    for (size_t i = 0; i < n; i++)
        printf(" %02x", (unsigned char)bytes[i]);
}

static void pair(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), least = la < lb ? la : lb;
    char to[64], other[64];
    printf("'%s' '%s'", a, b);
    printf(" %d %d %d", sign(strcmp(a, b)), sign(strcasecmp(a, b)), sign(strcoll(a, b)));
    printf(" %d %d %d", sign(strncmp(a, b, 2)), sign(strncasecmp(a, b, 2)), sign(memcmp(a, b, least)));
    printf(" %d %d", sign(strverscmp(a, b)), bcmp(a, b, least) != 0);
    place("strstr", a, strstr(a, b));
    place("strcasestr", a, strcasestr(a, b));
    place("memmem", a, memmem(a, la, b, lb));
    place("strpbrk", a, strpbrk(a, b));
    printf(" %zu %zu", strspn(a, b), strcspn(a, b));
    memset(to, '#', sizeof to);
    strcpy(to, a);
    place("strcat", to, strcat(to, b));
    show("", to, 16);
    memset(to, '#', sizeof to);
    strcpy(to, a);
    place("strncat", to, strncat(to, b, 2));
    show("", to, 16);
    memset(to, '#', sizeof to);
    printf(" %zu", strxfrm(to, a, 3));
    strcpy(to, a);
    char *rest = to;
    for (int i = 0; i < 4; i++) {
        char *word = strsep(&rest, b);
        place("strsep", to, word);
    }
    strcpy(to, a);
    char *state;
    for (char *word = strtok_r(to, b, &state); word; word = strtok_r(NULL, b, &state))
        printf(" [%s]", word);
    strcpy(other, a);
    for (char *word = strtok(other, b); word; word = strtok(NULL, b))
        printf(" <%s>", word);
    printf("\n");
}

static void character(const char *s, int c)
{
    size_t n = strlen(s);
    char to[64];
    printf("'%s' %d", s, c);
    place("strchr", s, strchr(s, c));
    place("strrchr", s, strrchr(s, c));
    place("index", s, index(s, c));
    place("rindex", s, rindex(s, c));
    place("strchrnul", s, strchrnul(s, c));
    place("memchr", s, memchr(s, c, n));
    place("memrchr", s, memrchr(s, c, n));
    if (strchr(s, c))
        place("rawmemchr", s, rawmemchr(s, c));
    memset(to, '#', sizeof to);
    place("memccpy", to, memccpy(to, s, c, n + 1));
    show("", to, 12);
    printf("\n");
}

static void one(const char *s)
{
    size_t n = strlen(s);
    char to[64];
    printf("'%s' %zu %zu", s, n, strnlen(s, 3));
    char *copy = strdup(s), *part = strndup(s, 2);
    printf(" %s %s", copy, part);
    free(copy);
    free(part);
    for (size_t size = 0; size < 5; size++) {
        memset(to, '#', sizeof to);
        place("strncpy", to, strncpy(to, s, size));
        show("", to, 6);
        memset(to, '#', sizeof to);
        place("stpncpy", to, stpncpy(to, s, size));
        show("", to, 6);
    }
    place("stpcpy", to, stpcpy(to, s));
    place("mempcpy", to, mempcpy(to, s, n));
    place("memcpy", to, memcpy(to, s, n));
    place("basename", s, basename(s));
    memmove(to + 1, to, n);
    show("memmove", to, 12);
    memmove(to, to + 1, n);
    show("memmove", to, 12);
    bcopy(to, to + 2, n);
    show("bcopy", to, 12);
    swab(s, to, (ssize_t)n);
    show("swab", to, 12);
    bzero(to, n);
    explicit_bzero(to + 3, n);
    show("bzero", to, 12);
    memfrob(to, 5);
    show("memfrob", to, 12);
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        one(words[i]);
        for (int j = 0; j < N; j++)
            pair(words[i], words[j]);
        for (const char *c = "abc1 \xff"; *c; c++)
            character(words[i], *c);
        int bits = (int)strlen(words[i]) << i % 20;
        printf("%d %d %d", ffs(bits), ffsl(-(long)bits), ffsll((long long)bits << 20));
        printf(" %u %u %u %u\n", htonl(bits * 77u), ntohl(bits + 513u), htons((unsigned short)(bits + 258)), ntohs((unsigned short)bits));
        character(words[i], 0);
        character(words[i], 256 + 'a');
    }
    return 0;
}
