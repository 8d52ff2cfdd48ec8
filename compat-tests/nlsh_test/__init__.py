"""What the tests share. Python's import a module of it, shell's source a file of it (`load sanitizer` does in bats).

place      where the build, the sources and the tools are
server     `nlsh serve`, from when it serves until it has ended
trace      the calls that NLSH_TRACE tells of
waiting    until something is so
suites     the table of suites: what runs it, how long it takes, what a change there is tested by

serve.sh   the server, for sh
shell.bash the server, a script in a namespace of its own, a program without nlsh and with it: for bats
"""
