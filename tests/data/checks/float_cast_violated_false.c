// expect: false
// checks: float-cast
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    return (int)x > 3;
}
