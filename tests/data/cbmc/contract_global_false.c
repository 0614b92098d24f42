// expect: false
// environment: --entry count --check-contract count
// A variable of the file that the assigns clause does not name.
int calls, misses;

void count(int hit)
__CPROVER_assigns(calls)
{
    calls = 1;
    if (!hit)
        misses = 1;
}
