"""The tests' common code. Python tests import a module, shell tests source a file (bats: `load sanitizer`).

place      where the build, the sources and the tools are
server     `nlsh serve` as an object: start, stop, end
trace      the calls in a file of NLSH_TRACE
processes  programs beside a test, which end with it
waiting    waits until a condition holds
suites     the table of suites: what runs each, how long it takes, and which changes it tests

serve.sh   starts a server, for sh
shell.bash for bats: the server, a script in its own namespace, a program with and without nlsh
"""
