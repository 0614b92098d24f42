static int count;

static int step(void)
{
    return 1;
}

int next(void)
{
    count += step();
    return count;
}
