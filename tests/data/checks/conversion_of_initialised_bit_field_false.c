// expect: false
// checks: conversion
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    struct { unsigned bits : 3; } s = {__VERIFIER_nondet_uint() & 15};
    return s.bits;
}
