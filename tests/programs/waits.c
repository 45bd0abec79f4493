/* Waits for a span by the means named in its first argument, once it is told to on stdin, and says
 * by the monotonic clock how long that took, and how far the wall clock moved meanwhile. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static double span;

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static struct timespec deadline(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    long long nanos = now.tv_nsec + (long long)(span * 1e9);
    now.tv_sec += nanos / 1000000000;
    now.tv_nsec = nanos % 1000000000;
    return now;
}

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static struct timespec by;

static void *hold(void *unused)
{
    pthread_mutex_lock(&taken);
    pthread_rwlock_wrlock(&lock);
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return unused;
}

static pthread_t holder(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_barrier_wait(&barrier);
    return thread;
}

static void cond_default(void) { pthread_cond_timedwait(&cond, &mutex, &by); }

static void cond_monotonic(void)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&cond, &attr);
    by = deadline(CLOCK_MONOTONIC);
    pthread_cond_timedwait(&cond, &mutex, &by);
}

static void cond_clock(void) { pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &by); }

static void c11_cond(void)
{
    cnd_t own;
    mtx_t with;
    cnd_init(&own);
    mtx_init(&with, mtx_timed);
    mtx_lock(&with);
    timespec_get(&by, TIME_UTC);
    by.tv_sec += (time_t)span;
    cnd_timedwait(&own, &with, &by);
}

static void semaphore(void)
{
    sem_t own;
    sem_init(&own, 0, 0);
    sem_timedwait(&own, &by);
}

static void semaphore_clock(void)
{
    sem_t own;
    sem_init(&own, 0, 0);
    by = deadline(CLOCK_MONOTONIC);
    sem_clockwait(&own, CLOCK_MONOTONIC, &by);
}

static void mutex_timed(void) { pthread_mutex_timedlock(&taken, &by); }
static void mutex_clock(void) { pthread_mutex_clocklock(&taken, CLOCK_REALTIME, &by); }
static void rwlock_read(void) { pthread_rwlock_timedrdlock(&lock, &by); }
static void rwlock_write(void) { pthread_rwlock_timedwrlock(&lock, &by); }
static void sleep_until(void) { clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &by, NULL); }

static void sleep_until_monotonic(void)
{
    by = deadline(CLOCK_MONOTONIC);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &by, NULL);
}

static void timer_descriptor(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    struct itimerspec at = {{0, 0}, by};
    unsigned long long ticks;
    if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL) != 0 || read(fd, &ticks, sizeof ticks) < 0)
        perror("timerfd");
}

static void posix_timer(void)
{
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, NULL);
    timer_t timer;
    timer_create(CLOCK_REALTIME, NULL, &timer);
    struct itimerspec at = {{0, 0}, by};
    timer_settime(timer, TIMER_ABSTIME, &at, NULL);
    int caught;
    sigwait(&alarm, &caught);
}

static void message_queue(void)
{
    char name[64], text[8192];
    snprintf(name, sizeof name, "/havoq-waits-%d", getpid());
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
    if (queue < 0)
        perror("mq_open");
    mq_unlink(name);
    mq_timedreceive(queue, text, sizeof text, NULL, &by);
}

static void join(void) { pthread_timedjoin_np(holder(), NULL, &by); }

static void futex(void)
{
    int word = 0;
    int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;
    syscall(SYS_futex, &word, operation, 0, &by, NULL, FUTEX_BITSET_MATCH_ANY);
}

static const struct {
    const char *name;
    void (*wait)(void);
} MEANS[] = {
    {"pthread_cond_timedwait", cond_default},
    {"pthread_cond_timedwait-monotonic", cond_monotonic},
    {"pthread_cond_clockwait", cond_clock},
    {"cnd_timedwait", c11_cond},
    {"sem_timedwait", semaphore},
    {"sem_clockwait-monotonic", semaphore_clock},
    {"pthread_mutex_timedlock", mutex_timed},
    {"pthread_mutex_clocklock", mutex_clock},
    {"pthread_rwlock_timedrdlock", rwlock_read},
    {"pthread_rwlock_timedwrlock", rwlock_write},
    {"clock_nanosleep", sleep_until},
    {"clock_nanosleep-monotonic", sleep_until_monotonic},
    {"timerfd_settime", timer_descriptor},
    {"timer_settime", posix_timer},
    {"mq_timedreceive", message_queue},
    {"pthread_timedjoin_np", join},
    {"syscall-futex", futex},
};

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    span = atof(arguments[2]);
    for (size_t i = 0; i < sizeof MEANS / sizeof *MEANS; i++) {
        if (strcmp(MEANS[i].name, arguments[1]) != 0)
            continue;
        if (strncmp(arguments[1], "pthread_mutex", 13) == 0 || strncmp(arguments[1], "pthread_rwlock", 14) == 0)
            holder();
        pthread_mutex_lock(&mutex);
        write(1, "ready\n", 6);
        if (getchar() == EOF)
            return 1;
        double wall = seconds(CLOCK_REALTIME), monotonic = seconds(CLOCK_MONOTONIC);
        by = deadline(CLOCK_REALTIME);
        write(1, "waiting\n", 8);
        MEANS[i].wait();
        printf("%f %f\n", seconds(CLOCK_MONOTONIC) - monotonic, seconds(CLOCK_REALTIME) - wall);
        fflush(stdout);
        _exit(0);
    }
    return 2;
}
