/* A counter of 32 bits. The header that names its type is missing. */
#include <stdio.h>

static uint32_t count;

int main(void)
{
    count += 1;
    printf("%u\n", (unsigned)count);
    return 0;
}
