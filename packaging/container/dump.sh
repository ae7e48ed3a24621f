#!/bin/sh
# Writes a dump of the database to the working directory, and removes the dumps that are older than two weeks.
set -eu
umask 077
rm -f -- *.partial
PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
export PGPASSWORD
file=rostra-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump
pg_dump --format=custom --file="$file.partial"
# pg_dump fails if the dump is incomplete; this fails if it cannot be read.
pg_restore --list "$file.partial" > /dev/null
mv "$file.partial" "$file"
find . -name 'rostra-*.dump' -mtime +14 -delete
