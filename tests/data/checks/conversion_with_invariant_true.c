// expect: true
// checks: conversion
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    while (__VERIFIER_nondet_int())
        if (n < 100)
            n++;
    signed char small = n;
    return small;
}
