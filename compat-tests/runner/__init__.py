"""The twin harness: the same command lines through iproute2 and through nlsh, compared byte for byte."""
