// expect: false
// environment: --entry make --check-contract make
// checks: assertions
// A string literal existed before the call, though nothing may write to it.
char *make(void)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4))
{
    return "0123456789";
}
