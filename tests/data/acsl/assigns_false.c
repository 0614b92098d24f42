// expect: false
// environment: --acsl --check-contract clear
/*@ requires \valid(p + (0 .. n - 1));
  @ assigns p[0 .. n - 1];
  @*/
void clear(char *p, int n) {
    for (int i = 0; i <= n; i++)
        p[i] = 0;
}

int main(void) {
    char text[4];
    clear(text, 2);
    return 0;
}
