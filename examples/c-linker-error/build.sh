#!/bin/sh
# Builds the program; one of the two files is forgotten.
set -eu
gcc -Wall -o area main.c
./area
