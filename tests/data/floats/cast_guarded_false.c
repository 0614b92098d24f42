// expect: false
// checks: assertions,float-cast
// The guard admits what does not fit.
extern float nondet_float(void);

int main(void)
{
    float f = nondet_float();
    return f >= -1 && f < 100 ? (int)(unsigned)f : -1;
}
