// expect: false
// checks: conversion
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned __int128 wide = __VERIFIER_nondet_ulong();
    __int128 fits = wide;
    wide = wide << 64;
    __int128 may_be_negative = wide;
    return fits > may_be_negative;
}
