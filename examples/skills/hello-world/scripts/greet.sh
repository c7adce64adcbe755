#!/bin/sh
# Greets the person named by the first argument, or the world.
set -eu
printf 'Hello, %s!\n' "${1:-world}"
