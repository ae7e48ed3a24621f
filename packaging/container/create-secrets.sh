#!/bin/sh
# Writes new passwords and the URLs that contain them to the folder "secrets" of compose.yaml.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets
for role in postgres rostra_owner rostra; do
  password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
  printf %s "$password" > "secrets/$role-password"
  printf 'postgres://%s:%s@database/rostra' "$role" "$password" > "secrets/$role-url"
done
# The users in the containers read the files; the folder keeps other users of this machine out.
chmod 644 secrets/*
