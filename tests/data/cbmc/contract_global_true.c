// expect: true
// environment: --entry count --check-contract count --use-contract reset
// Variables of the file as targets, one of them under a condition; locals and memory that the function makes need none.
void *malloc(unsigned long);
void free(void *);
int calls, misses;

void reset(int all)
__CPROVER_assigns(calls; all: misses)
__CPROVER_ensures(calls == 0);

void count(int hit)
__CPROVER_requires(0 <= misses && misses < 100)
__CPROVER_assigns(calls, misses)
__CPROVER_ensures(misses == __CPROVER_old(misses) + (hit ? 0 : 1) && calls == 1)
{
    int local[4];
    int *made = malloc(sizeof *made);
    reset(0);
    for (int i = 0; i < 4; i++)
        local[i] = i;
    if (made)
        *made = local[1];
    free(made);
    calls++;
    if (!hit)
        misses++;
}
