#!/bin/sh
# PostgreSQL runs this once, for a new database: one role owns the tables, the other serves.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres \
  --set owner_password="$(cat /run/secrets/rostra_owner-password)" \
  --set serving_password="$(cat /run/secrets/rostra-password)" <<'SQL'
CREATE ROLE rostra_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE rostra LOGIN PASSWORD :'serving_password';
CREATE DATABASE rostra OWNER rostra_owner ENCODING 'UTF8' TEMPLATE template0;
SQL
