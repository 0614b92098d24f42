// expect: true
extern void reach_error(void);
typedef _Decimal64 money;
extern money interest(money sum);
int main(void) {
    if (sizeof(money) != 8) reach_error();
    return 0;
}
