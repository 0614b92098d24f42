// expect: false
// checks: conversion
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char small = (unsigned char)n;
    signed char changed = n & 255;
    return small == changed;
}
