/* Says what each way of reading the clock shows, once for each line on stdin. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timespec time) { return time.tv_sec + time.tv_nsec / 1e9; }

static double at(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return seconds(now);
}

int main(void)
{
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {
        struct timeval day;
        struct timespec c11, direct;
        gettimeofday(&day, NULL);
        timespec_get(&c11, TIME_UTC);
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &direct);
        printf("CLOCK_REALTIME %f\n", at(CLOCK_REALTIME));
        printf("CLOCK_REALTIME_COARSE %f\n", at(CLOCK_REALTIME_COARSE));
        printf("CLOCK_TAI %f\n", at(CLOCK_TAI));
        printf("gettimeofday %f\n", day.tv_sec + day.tv_usec / 1e6);
        printf("time %f\n", (double)time(NULL));
        printf("timespec_get %f\n", seconds(c11));
        printf("syscall %f\n", seconds(direct));
        printf("monotonic CLOCK_MONOTONIC %f\n", at(CLOCK_MONOTONIC));
        printf("monotonic CLOCK_BOOTTIME %f\n", at(CLOCK_BOOTTIME));
        printf("monotonic CLOCK_MONOTONIC_RAW %f\n", at(CLOCK_MONOTONIC_RAW));
        printf("end 0\n");
        fflush(stdout);
    }
    return 0;
}
