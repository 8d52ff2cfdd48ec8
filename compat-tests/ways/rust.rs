// std::process::Command.
use std::process::Command;

fn run(words: &[&str]) {
    println!("{:?}", Command::new(words[0]).args(&words[1..]).status());
    println!("{:?}", Command::new(words[0]).args(&words[1..]).output());
}

fn main() {
    run(&["ip", "link", "set", "v0", "master", "br0"]);
    run(&["ip", "addr", "replace", "10.9.1.1/24", "dev", "br0"]);
    run(&["/sbin/ip", "-br", "addr", "show", "dev", "br0"]);
    run(&["ip", "link", "set", "nosuch", "up"]);
    run(&["sh", "-c", "ip link set br0 up && ip route replace 10.9.2.0/24 via 10.9.1.9"]);
}
