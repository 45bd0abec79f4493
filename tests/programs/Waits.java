import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits for a span by the means named in its first argument, once it is told to on stdin, and says
 * by the monotonic clock how long that took, and how far the wall clock moved meanwhile.
 */
class Waits {
    public static void main(String[] arguments) throws Exception {
        long span = (long) (Double.parseDouble(arguments[1]) * 1e3);
        System.out.println("ready");
        System.in.read();
        long wall = System.currentTimeMillis(), monotonic = System.nanoTime();
        System.out.println("waiting");
        switch (arguments[0]) {
            case "Thread.sleep" -> Thread.sleep(span);
            case "parkNanos" -> LockSupport.parkNanos(span * 1_000_000);
            case "parkUntil" -> LockSupport.parkUntil(System.currentTimeMillis() + span);
            case "Object.wait" -> {
                Object monitor = new Object();
                synchronized (monitor) {
                    monitor.wait(span);
                }
            }
            case "Condition.await" -> {
                ReentrantLock lock = new ReentrantLock();
                lock.lock();
                lock.newCondition().await(span, TimeUnit.MILLISECONDS);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        double took = (System.nanoTime() - monotonic) / 1e9;
        System.out.println(took + " " + (System.currentTimeMillis() - wall) / 1e3);
    }
}
