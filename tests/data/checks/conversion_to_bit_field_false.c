// expect: false
// checks: conversion
struct { unsigned bits : 3; } s;

int main(void)
{
    unsigned char x = 9;
    s.bits = x;
    return s.bits;
}
