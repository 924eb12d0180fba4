// Quartz.java: Quartz's cron expressions enumerating one rule, or merging many with a queue of the library's.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TimeZone;
import org.quartz.CronExpression;

class Quartz {
  record Item(long next, int order, CronExpression rule) implements Comparable<Item> {
    public int compareTo(Item other) {
      int late = Long.compare(next, other.next);
      return late != 0 ? late : Integer.compare(order, other.order);
    }
  }

  static long count, sum;

  static long after(CronExpression rule, long at) {
    Date next = rule.getNextValidTimeAfter(new Date(at));
    return next == null ? Long.MAX_VALUE : next.getTime();
  }

  static CronExpression parse(String text, String zone) throws Exception {
    CronExpression rule = new CronExpression(text);
    rule.setTimeZone(TimeZone.getTimeZone(zone));
    return rule;
  }

  static void merge(List<CronExpression> rules, long first, long last) {
    count = 0;
    sum = 0;
    PriorityQueue<Item> queue = new PriorityQueue<>();
    for (int order = 0; order < rules.size(); order++) queue.add(new Item(after(rules.get(order), first), order, rules.get(order)));
    while (queue.peek().next <= last) {
      Item item = queue.poll();
      count++;
      sum += item.next / 1000;
      queue.add(new Item(after(item.rule, item.next), item.order, item.rule));
    }
  }

  public static void main(String[] words) throws Exception {
    List<CronExpression> rules = new ArrayList<>();
    if (words[0].equals("next")) rules.add(parse(words[1], words[2]));
    else for (String line : Files.readAllLines(Path.of(words[1]))) rules.add(parse(line, words[2]));
    long first = Long.parseLong(words[3]) * 1000, last = Long.parseLong(words[4]) * 1000;
    // Once unmeasured, over part of the time, so that what is measured has been compiled.
    merge(rules, first, first + (last - first) / 10);
    long start = System.nanoTime();
    merge(rules, first, last);
    System.out.printf("{\"count\":%d,\"sum\":%d,\"nanoseconds\":%d}%n", count, sum, System.nanoTime() - start);
  }
}
