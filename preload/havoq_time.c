/*
 * Shows a consumer the stack's clock: wall-clock time is real time plus an offset that havoq keeps
 * in a shared file. docs/clock.md says what it does and what it cannot do.
 *
 * - Reading the wall clock adds the offset; monotonic and CPU clocks are left alone.
 * - A deadline in wall-clock time that goes to the kernel or the C library has the offset taken
 *   off again: both wait by the real clock.
 * - Until the constructor ran, and where the file is missing, the offset is zero.
 *
 * Rules of this file: no memory is allocated, no lock is taken, errno is only set by the call that
 * stands behind. It is linked against nothing and every import is weak, so that it loads beside
 * any C library and never keeps a program from starting.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Not in every C library's headers. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);
extern void *dlvsym(void *restrict, const char *restrict, const char *restrict);

#pragma weak dlsym
#pragma weak dlvsym
#pragma weak getenv
#pragma weak open
#pragma weak fstat
#pragma weak mmap
#pragma weak close
#pragma weak getpid
#pragma weak kill
#pragma weak __errno_location
#pragma weak pthread_atfork
#pragma weak __register_atfork

#define NANOS 1000000000LL
#define EXPORT __attribute__((visibility("default")))

/* --- What is shared with havoq: src/consumer/time/shared.rs has the same layout. --- */

#define SLOTS 4080

struct shared {
    char magic[8];
    int64_t offset; /* of the shown clock against the real one, in nanoseconds */
    char reserved[48];
    int32_t pids[SLOTS]; /* processes that have checked in */
};

static struct shared *shared;

static int64_t offset_now(void)
{
    struct shared *mapped = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    return mapped ? __atomic_load_n(&mapped->offset, __ATOMIC_ACQUIRE) : 0;
}

static int is_dead(int32_t pid)
{
    return kill && __errno_location && kill(pid, 0) != 0 && errno == ESRCH;
}

/* Slots are never emptied, so a free one ends the search. */
static void check_in(void)
{
    struct shared *mapped = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (!mapped)
        return;
    int32_t own = getpid();
    for (int reclaim = 0; reclaim < 2; reclaim++) {
        for (uint32_t i = 0; i < SLOTS; i++) {
            int32_t *slot = &mapped->pids[((uint32_t)own + i) % SLOTS];
            int32_t taken = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
            if (taken == own)
                return;
            if (taken != 0 && !(reclaim && is_dead(taken)))
                continue;
            if (__atomic_compare_exchange_n(slot, &taken, own, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return;
        }
    }
}

static int is_ours(const struct shared *mapped)
{
    static const char magic[sizeof mapped->magic] = "HAVOQT1";
    for (size_t i = 0; i < sizeof magic; i++)
        if (mapped->magic[i] != magic[i])
            return 0;
    return 1;
}

__attribute__((constructor)) static void attach(void)
{
    if (!(dlsym && getenv && open && fstat && mmap && close && getpid))
        return;
    const char *path = getenv("HAVOQ_TIME_FILE");
    if (!path)
        return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat status;
    void *mapped = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof(struct shared))
        mapped = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED || !is_ours(mapped))
        return;
    __atomic_store_n(&shared, (struct shared *)mapped, __ATOMIC_RELEASE);
    check_in();
    if (__register_atfork)
        __register_atfork(NULL, NULL, check_in, NULL);
    else if (pthread_atfork)
        pthread_atfork(NULL, NULL, check_in);
}

/* --- The functions that stand behind ours. --- */

/* glibc keeps an old pthread_cond_timedwait and timer_settime beside the present ones. */
static void *behind(const char *name, const char *version)
{
    void *found = version && dlvsym ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return found ? found : dlsym(RTLD_NEXT, name);
}

/* Looked up at the first call, which may come before the constructor. */
#define BEHIND(name, version)                                                                       \
    ({                                                                                              \
        static __typeof__(&name) found;                                                             \
        __typeof__(&name) it = __atomic_load_n(&found, __ATOMIC_ACQUIRE);                           \
        if (!it) {                                                                                  \
            it = (__typeof__(&name))behind(#name, version);                                         \
            __atomic_store_n(&found, it, __ATOMIC_RELEASE);                                         \
        }                                                                                           \
        it;                                                                                         \
    })

/* --- Reading the wall clock. --- */

static int is_wall_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
           clock == CLOCK_TAI;
}

static int is_whole(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < NANOS;
}

static struct timespec moved(struct timespec time, int64_t by)
{
    time.tv_sec += by / NANOS;
    time.tv_nsec += by % NANOS;
    if (time.tv_nsec >= NANOS) {
        time.tv_nsec -= NANOS;
        time.tv_sec++;
    } else if (time.tv_nsec < 0) {
        time.tv_nsec += NANOS;
        time.tv_sec--;
    }
    return time;
}

static struct timespec shown_now(void)
{
    struct timespec now = {0, 0};
    BEHIND(clock_gettime, NULL)(CLOCK_REALTIME, &now);
    return moved(now, offset_now());
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = BEHIND(clock_gettime, NULL)(clock, time);
    if (result == 0 && is_wall_clock(clock))
        *time = moved(*time, offset_now());
    return result;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (zone)
        *(struct timezone *)zone = (struct timezone){0, 0};
    if (time) {
        struct timespec now = shown_now();
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / 1000;
    }
    return 0;
}

EXPORT time_t time(time_t *out)
{
    time_t now = shown_now().tv_sec;
    if (out)
        *out = now;
    return now;
}

EXPORT int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC)
        return BEHIND(timespec_get, NULL)(time, base);
    *time = shown_now();
    return base;
}

/* Gone from the headers, not from old programs. */
struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone;
    short dstflag;
};

EXPORT int ftime(struct timeb *time)
{
    struct timespec now = shown_now();
    *time = (struct timeb){now.tv_sec, (unsigned short)(now.tv_nsec / 1000000), 0, 0};
    return 0;
}

/* --- Deadlines. --- */

/* A condition variable or a timer does not tell which clock its deadline is on; the value does. No
 * machine has been up since 2001, and a wall-clock deadline before 2001 is over on either clock.
 * A monotonic deadline beyond is meant as `never`, and stays that when the offset is taken off. */
#define OF_WALL_CLOCK 1000000000

static struct timespec real_time_of(struct timespec deadline)
{
    if (!is_whole(&deadline) || deadline.tv_sec < OF_WALL_CLOCK)
        return deadline;
    struct timespec real = moved(deadline, -offset_now());
    /* By an absurd offset it must neither become one that the kernel refuses nor disarm a timer. */
    return real.tv_sec < 0 ? (struct timespec){0, 1} : real;
}

/* The deadline in real time, in `out` when it differs. */
static const struct timespec *real_deadline(const struct timespec *deadline, struct timespec *out)
{
    if (!deadline)
        return deadline;
    *out = real_time_of(*deadline);
    return out;
}

static const struct timespec *real_deadline_on(clockid_t clock, const struct timespec *deadline,
                                               struct timespec *out)
{
    return is_wall_clock(clock) ? real_deadline(deadline, out) : deadline;
}

static const struct itimerspec *real_timer(int absolute, const struct itimerspec *timer, struct itimerspec *out)
{
    if (!absolute || !timer)
        return timer;
    *out = *timer;
    out->it_value = real_time_of(timer->it_value);
    return out;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    struct timespec real;
    if (flags & TIMER_ABSTIME)
        time = real_deadline_on(clock, time, &real);
    return BEHIND(clock_nanosleep, NULL)(clock, flags, time, left);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict deadline)
{
    struct timespec real;
    return BEHIND(pthread_cond_timedwait, "GLIBC_2.3.2")(cond, mutex, real_deadline(deadline, &real));
}

EXPORT int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict deadline)
{
    struct timespec real;
    return BEHIND(cnd_timedwait, NULL)(cond, mutex, real_deadline(deadline, &real));
}

/* Calls that always take wall-clock deadlines, as the last argument. */
#define DEADLINE_1(name, A)                                                                         \
    EXPORT int name(A a, const struct timespec *restrict deadline)                                  \
    {                                                                                               \
        struct timespec real;                                                                       \
        return BEHIND(name, NULL)(a, real_deadline(deadline, &real));                               \
    }

/* Calls that are told the clock of their deadline. */
#define CLOCKED_1(name, A)                                                                          \
    extern int name(A a, clockid_t clock, const struct timespec *deadline);                         \
    EXPORT int name(A a, clockid_t clock, const struct timespec *deadline)                          \
    {                                                                                               \
        struct timespec real;                                                                       \
        return BEHIND(name, NULL)(a, clock, real_deadline_on(clock, deadline, &real));              \
    }

#define CLOCKED_2(name, A, B)                                                                       \
    extern int name(A a, B b, clockid_t clock, const struct timespec *deadline);                    \
    EXPORT int name(A a, B b, clockid_t clock, const struct timespec *deadline)                     \
    {                                                                                               \
        struct timespec real;                                                                       \
        return BEHIND(name, NULL)(a, b, clock, real_deadline_on(clock, deadline, &real));           \
    }

DEADLINE_1(sem_timedwait, sem_t *restrict)
DEADLINE_1(pthread_mutex_timedlock, pthread_mutex_t *restrict)
DEADLINE_1(pthread_rwlock_timedrdlock, pthread_rwlock_t *restrict)
DEADLINE_1(pthread_rwlock_timedwrlock, pthread_rwlock_t *restrict)
DEADLINE_1(mtx_timedlock, mtx_t *restrict)

CLOCKED_1(sem_clockwait, sem_t *restrict)
CLOCKED_1(pthread_mutex_clocklock, pthread_mutex_t *restrict)
CLOCKED_1(pthread_rwlock_clockrdlock, pthread_rwlock_t *restrict)
CLOCKED_1(pthread_rwlock_clockwrlock, pthread_rwlock_t *restrict)
CLOCKED_2(pthread_cond_clockwait, pthread_cond_t *restrict, pthread_mutex_t *restrict)
CLOCKED_2(pthread_clockjoin_np, pthread_t, void **)

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline)
{
    struct timespec real;
    return BEHIND(pthread_timedjoin_np, NULL)(thread, result, real_deadline(deadline, &real));
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *timer, struct itimerspec *old)
{
    struct itimerspec real;
    return BEHIND(timerfd_settime, NULL)(fd, flags, real_timer(flags & TFD_TIMER_ABSTIME, timer, &real), old);
}

EXPORT int timer_settime(timer_t id, int flags, const struct itimerspec *restrict timer,
                         struct itimerspec *restrict old)
{
    struct itimerspec real;
    return BEHIND(timer_settime, "GLIBC_2.3.3")(id, flags, real_timer(flags & TIMER_ABSTIME, timer, &real), old);
}

EXPORT int mq_timedsend(mqd_t queue, const char *text, size_t length, unsigned int priority,
                        const struct timespec *deadline)
{
    struct timespec real;
    return BEHIND(mq_timedsend, NULL)(queue, text, length, priority, real_deadline(deadline, &real));
}

EXPORT ssize_t mq_timedreceive(mqd_t queue, char *restrict text, size_t length, unsigned int *restrict priority,
                               const struct timespec *restrict deadline)
{
    struct timespec real;
    return BEHIND(mq_timedreceive, NULL)(queue, text, length, priority, real_deadline(deadline, &real));
}

/* --- System calls that go around the C library's own functions. --- */

/* From linux/futex.h, which not every C library's compiler finds. */
enum { WAIT = 0, LOCK_PI = 6, COMMAND = 0x7f, CLOCK_IS_REALTIME = 0x100 };

static int futex_waits_by_wall_clock(long operation)
{
    long command = operation & COMMAND;
    if (command == LOCK_PI)
        return 1; /* always by the wall clock */
    return (operation & CLOCK_IS_REALTIME) && command != WAIT;
}

EXPORT long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);

    struct timespec real;
    struct itimerspec timer;
    switch (number) {
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    case SYS_gettimeofday:
        return gettimeofday((struct timeval *)a[0], (void *)a[1]);
#ifdef SYS_time
    case SYS_time:
        return time((time_t *)a[0]);
#endif
    case SYS_clock_nanosleep:
        if (a[1] & TIMER_ABSTIME)
            a[2] = (long)real_deadline_on((clockid_t)a[0], (const struct timespec *)a[2], &real);
        break;
    case SYS_futex:
        if (futex_waits_by_wall_clock(a[1]))
            a[3] = (long)real_deadline((const struct timespec *)a[3], &real);
        break;
#ifdef SYS_futex_waitv
    case SYS_futex_waitv:
        a[3] = (long)real_deadline_on((clockid_t)a[4], (const struct timespec *)a[3], &real);
        break;
#endif
    case SYS_timerfd_settime:
        a[2] = (long)real_timer(a[1] & TFD_TIMER_ABSTIME, (const struct itimerspec *)a[2], &timer);
        break;
    case SYS_timer_settime:
        a[2] = (long)real_timer(a[1] & TIMER_ABSTIME, (const struct itimerspec *)a[2], &timer);
        break;
    case SYS_mq_timedsend:
    case SYS_mq_timedreceive:
        a[4] = (long)real_deadline((const struct timespec *)a[4], &real);
        break;
    default:
        break;
    }
    return BEHIND(syscall, NULL)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
