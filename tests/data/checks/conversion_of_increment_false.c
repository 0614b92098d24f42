// expect: false
// checks: conversion
// As `q += 1`.
int main(void)
{
    unsigned char q = 255;
    q++;
    return q;
}
