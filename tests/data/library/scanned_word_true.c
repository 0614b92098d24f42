// expect: true
// checks: memory
// A word that was read ends with a zero; where none was, nothing is written.
extern int scanf(const char *format, ...);
extern unsigned long strlen(const char *text);
extern void reach_error(void);

int main(void)
{
    char word[8], name[4] = "x";
    scanf("%3[a-z]", name);
    if (strlen(name) > 3)
        reach_error();
    if (scanf("%7s", word) == 1 && strlen(word) > 7)
        reach_error();
    return 0;
}
