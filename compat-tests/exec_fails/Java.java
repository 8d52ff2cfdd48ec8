// ProcessBuilder: the exception of an exec that fails.
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Java {
    public static void main(String[] arguments) throws Exception {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("ip", "link"));
        lines.add(List.of("/usr/sbin/ip", "link"));
        lines.add(List.of("ip", "link", "show", "x".repeat(140_000)));
        List<String> many = new ArrayList<>(Collections.nCopies(700_000, "x"));
        many.set(0, "ip");
        lines.add(many);
        for (String kind : List.of("closed", "script", "loop", "folder", "nothing")) {
            lines.add(List.of(arguments[0] + "/" + kind + "/ip", "link"));
            lines.add(List.of(arguments[0] + "/" + kind + "/sh", "-c", "ip link set lo up"));
        }
        for (List<String> line : lines) {
            try {
                System.out.println(new ProcessBuilder(line).start().waitFor());
            } catch (IOException error) {
                System.out.println(error.getCause() == null ? error : error.getCause());
            }
        }
    }
}
