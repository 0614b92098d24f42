// expect: true
// checks: conversion
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char written = (unsigned char)n;
    short fits = 0;
    unsigned long size = 0;
    if (n >= 0 && n < 1000) {
        fits = n;
        size = n;
    }
    return fits + written > (int)(size & 255);
}
