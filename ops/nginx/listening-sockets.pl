#!/usr/bin/perl
# Listening sockets that outlive nginx's container (docs/decisions/60-upgrades.md). Uses what Debian's perl-base has.
#
#   hold SOCKET PORT...        listens on the ports, and sends these sockets to whoever connects to the Unix socket
#   inherit SOCKET COMMAND...  waits for the Unix socket, receives them and becomes the command, as nginx inherits sockets (NGINX).
#                              Ends it when the holder ends, whose network its connections are in
#
# The holder is of an older release than nginx: one message that carries the sockets has to stay the whole protocol.
use strict;
use warnings;
use POSIX ();
use Socket qw(AF_UNIX INADDR_ANY PF_INET PF_UNIX SO_REUSEADDR SOCK_STREAM SOL_SOCKET pack_sockaddr_in pack_sockaddr_un);

# As nginx does.
my $BACKLOG = 511;
my $SOCKETS_MAX = 16;
my $SCM_RIGHTS = 1;
my $RETRY_S = 0.1;
my ($SENDMSG, $RECVMSG) = (POSIX::uname())[4] eq 'x86_64' ? (46, 47) : (211, 212);
# struct cmsghdr and msghdr where addresses have 64 bits.
my $CONTROL_HEADER = 'Q l l';
my $CONTROL_HEADER_BYTES = 16;
my $MESSAGE = 'Q L x4 P Q P Q l x4';

my ($command, $path, @rest) = @ARGV;
if (($command // '') eq 'hold' && @rest) { hold(@rest) }
elsif (($command // '') eq 'inherit' && @rest) { inherit(@rest) }
else { die "Usage: $0 hold SOCKET PORT... | inherit SOCKET COMMAND...\n" }

sub hold {
    my @listening = map { listen_on($_) } @_;
    unlink $path;
    # The first process of a container ignores signals that it doesn't handle.
    $SIG{TERM} = $SIG{INT} = sub { exit 0 };
    $SIG{PIPE} = 'IGNORE';
    my ($server, %connections);
    socket($server, PF_UNIX, SOCK_STREAM, 0) && bind($server, pack_sockaddr_un($path)) && listen($server, $BACKLOG)
        or die "$path: $!\n";
    while (1) {
        my $readable = '';
        vec($readable, fileno $_, 1) = 1 for $server, values %connections;
        next if select($readable, undef, undef, undef) < 0;
        # Nobody writes, so a readable connection has ended.
        for (keys %connections) { delete $connections{$_} if vec($readable, $_, 1) }
        next unless vec($readable, fileno $server, 1) && accept(my $connection, $server);
        $connections{ fileno $connection } = $connection if send_sockets($connection, @listening);
    }
}

sub listen_on {
    my ($port) = @_;
    my $socket;
    socket($socket, PF_INET, SOCK_STREAM, 0)
        && setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1)
        && bind($socket, pack_sockaddr_in($port, INADDR_ANY))
        && listen($socket, $BACKLOG)
        or die "port $port: $!\n";
    return $socket;
}

sub send_sockets {
    my ($connection, @sockets) = @_;
    my $bytes = $CONTROL_HEADER_BYTES + 4 * @sockets;
    my $control = pack("$CONTROL_HEADER l*", $bytes, SOL_SOCKET, $SCM_RIGHTS, map { fileno $_ } @sockets);
    $control .= "\0" x (-$bytes % 8);
    my $data = 'x';
    return syscall($SENDMSG, fileno $connection, message(\$data, \$control), 0) == 1;
}

sub inherit {
    my @program = @_;
    $SIG{TERM} = $SIG{INT} = $SIG{QUIT} = sub { exit 0 };
    my ($connection, @sockets);
    until (@sockets) {
        $connection = connect_to_holder();
        @sockets = receive_sockets($connection) if $connection;
        select(undef, undef, undef, $RETRY_S) unless @sockets;
    }
    my $program_id = $$;
    if (!(fork // die "fork: $!\n")) { end_with_holder($connection, $program_id, @sockets) }
    $ENV{NGINX} = join '', map { "$_;" } @sockets;
    exec { $program[0] } @program or die "$program[0]: $!\n";
}

sub connect_to_holder {
    socket(my $connection, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
    return connect($connection, pack_sockaddr_un($path)) ? $connection : undef;
}

# Their descriptors stay open in the command.
sub receive_sockets {
    my ($connection) = @_;
    # Without sharing its bytes with a constant: the kernel writes to them.
    my ($data, $control) = ('', '');
    vec($data, 0, 8) = 0;
    vec($control, $CONTROL_HEADER_BYTES + 4 * $SOCKETS_MAX - 1, 8) = 0;
    return unless syscall($RECVMSG, fileno $connection, message(\$data, \$control), 0) == 1;
    my ($bytes, undef, $type) = unpack $CONTROL_HEADER, $control;
    return unless $type == $SCM_RIGHTS;
    return unpack 'l*', substr $control, $CONTROL_HEADER_BYTES, $bytes - $CONTROL_HEADER_BYTES;
}

sub message {
    my ($data, $control) = @_;
    our $vector = pack 'P Q', $$data, length $$data;
    return pack $MESSAGE, 0, 0, $vector, 1, $$control, length $$control, 0;
}

sub end_with_holder {
    my ($connection, $program_id, @sockets) = @_;
    POSIX::close($_) for @sockets;
    $SIG{$_} = 'DEFAULT' for qw(TERM INT QUIT);
    sysread $connection, my $byte, 1;
    kill TERM => $program_id;
    exit 0;
}
