// expect: true
// checks: conversion
// No run gets to the conversion.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 3 && n < 3) {
        signed char small = 1000 + n;
        return small;
    }
    return 0;
}
