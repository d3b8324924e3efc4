import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** One node in a process of its own: {@code java -cp 'lib/*' Node.java FOLDER SETTING=VALUE...} */
final class Main extends Node {
    private Main(Settings settings) {
        super(
                InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "node"),
                List.of(Netty4Plugin.class),
                true);
    }

    public static void main(String[] given) throws Exception {
        Settings.Builder settings = Settings.builder().put("path.home", given[0]);
        for (int at = 1; at < given.length; at++) {
            String[] setting = given[at].split("=", 2);
            settings.put(setting[0], setting[1]);
        }
        new Main(settings.build()).start();
        new CountDownLatch(1).await();
    }
}
