import java.time.Instant;
import java.util.Scanner;

/** Says what each way of reading the clock shows, once for each line on stdin. */
class Reads {
    public static void main(String[] arguments) {
        System.out.println("ready");
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine(); lines.nextLine()) {
            Instant now = Instant.now();
            System.out.println("currentTimeMillis " + System.currentTimeMillis() / 1e3);
            System.out.println("Instant.now " + (now.getEpochSecond() + now.getNano() / 1e9));
            System.out.println("monotonic nanoTime " + System.nanoTime() / 1e9);
            System.out.println("end 0");
        }
    }
}
