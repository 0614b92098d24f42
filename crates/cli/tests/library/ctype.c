// Characters, narrow and wide.
#include <ctype.h>
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

static int all(int c)
{
    int kinds[] = {isalnum(c), isalpha(c), isblank(c), iscntrl(c), isdigit(c), isgraph(c), islower(c), isprint(c),
                   ispunct(c), isspace(c), isupper(c), isxdigit(c)};
    int bits = 0;
    for (int i = 0; i < 12; i++)
        bits |= (kinds[i] != 0) << i;
    return bits;
}

static int all_functions(int c)
{
    int kinds[] = {(isalnum)(c), (isalpha)(c), (isblank)(c), (iscntrl)(c), (isdigit)(c), (isgraph)(c), (islower)(c),
                   (isprint)(c), (ispunct)(c), (isspace)(c), (isupper)(c), (isxdigit)(c)};
    int bits = 0;
    for (int i = 0; i < 12; i++)
        bits |= (kinds[i] != 0) << i;
    return bits;
}

static int all_wide(wint_t c)
{
    int kinds[] = {iswalnum(c), iswalpha(c), iswblank(c), iswcntrl(c), iswdigit(c), iswgraph(c), iswlower(c), iswprint(c),
                   iswpunct(c), iswspace(c), iswupper(c), iswxdigit(c)};
    int bits = 0;
    for (int i = 0; i < 12; i++)
        bits |= (kinds[i] != 0) << i;
    return bits;
}

int main(void)
{
    for (int c = -1; c < 256; c++)
        printf("%d: %x %x %d %d %d %d %d\n", c, all(c), all_functions(c), tolower(c), toupper(c), (tolower)(c), (toupper)(c),
               (*__ctype_tolower_loc())[c] + (*__ctype_toupper_loc())[c] + (*__ctype_b_loc())[c]);
    for (int c = 0; c < 300; c++)
        printf("%d: %d %d\n", c, isascii(c) != 0, toascii(c));
    for (wint_t c = 0; c < 128; c++)
        printf("wide %u: %x %u %u\n", c, all_wide(c), towlower(c), towupper(c));
    printf("%x %u %u\n", all_wide(WEOF), towlower(0x20ac), towupper(WEOF));
    return 0;
}
