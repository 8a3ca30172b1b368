#!/bin/sh
# The container `front`: holds the listening sockets of the ports, and hands them to nginx.
set -eu
if [ "${TLS:-acme}" = off ]; then set -- 8080; else set -- 8080 8443; fi
exec perl /etc/gatehouse/nginx/listening-sockets.pl hold /var/lib/gatehouse/front/socket "$@"
