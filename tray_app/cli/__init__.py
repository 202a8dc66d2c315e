"""The command line: one of the front ends. Owns what is printed and the exit codes; every answer comes from `service`."""
