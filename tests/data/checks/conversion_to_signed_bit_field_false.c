// expect: false
// checks: conversion
struct { int bits : 3; } s;

int main(void)
{
    s.bits = -4;
    s.bits -= 1;
    return s.bits;
}
