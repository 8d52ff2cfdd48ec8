// ProcessBuilder.
import java.util.List;

public class Java {
    static void run(String... words) throws Exception {
        System.out.println(new ProcessBuilder(words).inheritIO().start().waitFor());
    }

    public static void main(String[] arguments) throws Exception {
        run("ip", "link", "set", "v0", "master", "br0");
        run("ip", "addr", "add", "10.9.1.1/24", "dev", "br0");
        run("/sbin/ip", "-br", "addr", "show", "dev", "br0");
        run("ip", "link", "set", "nosuch", "up");
        run("sh", "-c", "ip link set br0 up && ip route add 10.9.2.0/24 via 10.9.1.9");
    }
}
