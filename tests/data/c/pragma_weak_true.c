// expect: true
extern void reach_error(void);
#pragma weak hook
extern int hook(void);
#pragma weak other = own
int own(void) { return 7; }
extern int other(void);
int main(void) {
    if (other() != 7) reach_error();
    return &hook ? hook() : 0;
}
