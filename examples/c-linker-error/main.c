#include <stdio.h>

double area(double width, double height);

int main(void)
{
    printf("%.1f\n", area(2.0, 3.5));
    return 0;
}
