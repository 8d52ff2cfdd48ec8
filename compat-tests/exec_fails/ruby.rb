# spawn and IO.popen: what an exec that fails raises.
folder = ARGV[0]
lines = [%w[ip link], %w[/usr/sbin/ip link], ["ip", "link", "show", "x" * 140_000]]
%w[closed script loop folder nothing].each do |kind|
  lines << ["#{folder}/#{kind}/ip", "link"] << ["#{folder}/#{kind}/sh", "-c", "ip link set lo up"]
end
lines.each do |words|
  begin
    Process.wait(spawn(*words))
    puts $?.exitstatus
  rescue SystemCallError => error
    puts error.class
  end
  begin
    puts IO.popen(words).read
  rescue SystemCallError => error
    puts error.class
  end
end
