#!/bin/sh
# Uses a function of lib.sh without reading lib.sh first.
set -eu
say "deploy to staging"
