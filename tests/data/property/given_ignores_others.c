// expect: true
// property: CHECK( init(main()), LTL(G ! call(forbidden())) )
extern void forbidden(void);
extern void reach_error(void);
int main(void) {
    reach_error();
    return 0;
}
