// expect: true
// environment: --check-contract pair --use-contract swapped
// Functions whose results are records, which they write into memory of their callers.
#include <assert.h>
struct pair {
    int first, second;
};
struct pair pair(int first, int second)
    __CPROVER_assigns()
    __CPROVER_ensures(__CPROVER_return_value.first == first)
    __CPROVER_ensures(__CPROVER_return_value.second == second)
{
    struct pair made = {first, second};
    return made;
}
struct pair swapped(struct pair of)
    __CPROVER_assigns()
    __CPROVER_ensures(__CPROVER_return_value.first == of.second);
int main(void)
{
    struct pair made = pair(1, 2);
    assert(made.second == 2);
    assert(swapped(made).first == 2);
    return 0;
}
