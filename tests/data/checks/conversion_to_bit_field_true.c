// expect: true
// checks: conversion
// Values that fit, truth values, and arithmetic in types that are no narrower than `int`.
extern unsigned __VERIFIER_nondet_uint(void);

struct { unsigned three : 3, all : 32; int negative : 3; _Bool truth : 1; unsigned long wide : 40; } s;

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned char byte = 254;
    _Bool truth = 1;
    unsigned zero = 0;
    byte++;
    truth++;
    truth--;
    truth--;
    zero--;
    s.truth = n;
    s.truth++;
    s.three = n & 7;
    s.three &= 3;
    s.three += 4;
    s.negative = 3;
    s.negative = -4;
    s.wide = 0xffffffffff;
    s.wide--;
    s.all = 0;
    s.all--;
    return byte + truth + zero + s.three;
}
