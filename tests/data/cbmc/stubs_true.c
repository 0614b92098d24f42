// expect: true
// with: ../../parts/stubbed.c
// args: --remove-body slow --entry harness
// The stub stands in place of a body that is left out, and a static function is called by its name for other files.
int both(int x);
int __CPROVER_file_local_stubbed_c_twice(int x);

int slow(int x)
{
    __CPROVER_assert(x >= 3, "argument");
    return 1;
}

void harness(void)
{
    __CPROVER_assert(__CPROVER_file_local_stubbed_c_twice(4) == 8, "twice");
    __CPROVER_assert(both(3) == 7, "both");
}
