/**
 * Has the system take no new connections for a socket that listens, while those that it has accepted already are still handed out. A socket that is closed
 * resets the connections that wait in its queue, with the requests that were sent on them; with this, none is left to be reset. A client that is not
 * answered asks again after a second, and is refused then.
 *
 * It is a filter of the socket (SO_ATTACH_FILTER, socket(7)), for which Node has no call. Perl, which every Debian has, sets it on a socket that it inherits.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The descriptor that the program inherits beside its input and outputs. */
const INHERITED = 3

/** How long the program may take, in milliseconds. */
const PATIENCE = 2_000

/** Instructions of the classic packet filter (code, jump if true, jump if false, operand): of the flags of TCP, SYN without ACK is dropped. */
const PROGRAM = [
  [0x30, 0, 0, 13],
  [0x54, 0, 0, 0x12],
  [0x15, 0, 1, 0x02],
  [0x06, 0, 0, 0],
  [0x06, 0, 0, 0xffffffff],
]

/** Options of `setsockopt`: SOL_SOCKET, SO_ATTACH_FILTER. */
const OPTION = '1, 26'

const SCRIPT = `
my @program = (${PROGRAM.map(instruction => `[${instruction.join(', ')}]`).join(', ')});
my $code = join('', map { pack('SCCL', @$_) } @program);
my $filter = pack('S x![P] P', scalar(@program), $code);
open(my $socket, '+<&=', ${INHERITED}) or die $!;
setsockopt($socket, ${OPTION}, $filter) or die $!;`

/**
 * @param descriptor of a socket that listens
 * @returns whether no new connection comes to it; not on other systems, nor without Perl
 */
export async function refuseNew(descriptor: number): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const program = spawn('perl', ['-e', SCRIPT], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  try {
    const [code] = await once(program, 'close')
    return code === 0
  } catch {
    // There is no such program.
    return false
  }
}
