// expect: false
// checks: conversion
int main(void)
{
    short q = -32768;
    return --q;
}
