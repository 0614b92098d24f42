typedef __typeof__(sizeof 0) size;
int printf(const char *, ...);
size strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size);
char *strcat(char *, const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strdup(const char *);
char *strtok(char *, const char *);
int memcmp(const void *, const void *, size);
void *memchr(const void *, int, size);
void *memset(void *, int, size);
void qsort(void *, size, size, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size, size, int (*)(const void *, const void *));
int atoi(const char *);
int toupper(int);
int isdigit(int);
void free(void *);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char buffer[32];
    int n = 0;
    while (n < 5)
        n++;
    memset(buffer, 'x', n + 10);
    check(1, buffer[14], 'x');
    strcpy(buffer, "hello");
    check(2, strlen(buffer), 5);
    strcat(buffer, ", world");
    check(3, strcmp(buffer, "hello, world"), 0);
    check(4, sign(strcmp("abc", "abd")), -1);
    check(5, sign(strncmp("abc", "abd", 2)), 0);
    check(6, strchr(buffer, 'o') - buffer, 4);
    check(7, strrchr(buffer, 'o') - buffer, 8);
    check(8, strstr(buffer, "world") - buffer, 7);
    check(9, strstr(buffer, "word") == 0, 1);
    strncpy(buffer, "ab", 5);
    check(10, buffer[1] + buffer[2] + buffer[4] + buffer[5], 'b' + ',');
    char *copy = strdup("dup");
    check(11, strlen(copy) + copy[2], 3 + 'p');
    free(copy);
    check(12, sign(memcmp("\xff" "a", "\x01" "a", 2)), 1);
    check(13, (char *)memchr("abcd", 'c', 4) == 0, 0);
    int numbers[] = {5, 3, 9, 1, 7};
    qsort(numbers, 5, sizeof(int), order);
    check(14, numbers[0] * 10000 + numbers[1] * 1000 + numbers[2] * 100 + numbers[3] * 10 + numbers[4], 13579);
    int key = 7;
    check(15, (int *)bsearch(&key, numbers, 5, sizeof(int), order) - numbers, 3);
    check(16, atoi("  -42x"), -42);
    check(17, toupper('q') + !!isdigit('7'), 'Q' + 1);
    char words[] = "a bc  d";
    int tokens = 0;
    for (char *t = strtok(words, " "); t; t = strtok(0, " "))
        tokens = tokens * 10 + strlen(t);
    check(18, tokens, 121);
    check(19, __builtin_strlen("four"), 4);
    int (*compare)(const char *, const char *) = strcmp;
    check(20, compare("x", "x"), 0);
    return failures;
}
