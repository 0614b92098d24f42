// expect: true
// environment: --check-contract greet
// checks: memory,assertions
// What a loop hands to functions may be written; a string literal is not.
#include <assert.h>
#include <string.h>
void greet(void)
    __CPROVER_assigns()
{
    char text[8] = "a";
    for (int i = 0; i < 3; i++)
        __CPROVER_loop_invariant(i >= 0 && i <= 3)
    {
        strcpy(text, "b");
        assert(text[0] == 'b');
    }
}
int main(void)
{
    greet();
    return 0;
}
