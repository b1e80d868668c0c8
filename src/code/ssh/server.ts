/**
 * The SSH server: git for users with keys and for machines with deploy keys. It has no forwarding, no shell and no
 * other programs.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { anonymous } from '../../platform/access/actor.ts'
import { Admission, admissionLimits } from '../../platform/kernel/connections/admission.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { serveConnection } from './connection.ts'
import { type Bounds, standardBounds } from './lifetime.ts'

export interface SshServer {
  /** Port that it listens on. */
  readonly port: number
  /** Accepts no more connections, waits at most `patience` milliseconds for running commands, and closes all connections. */
  stop(patience?: number): Promise<void>
}

export interface SshOptions {
  /** The private host key, in a format that OpenSSH reads. */
  readonly hostKey: string
  readonly host: string
  /** HTTP URL of the instance, for LFS. */
  readonly url: string
  /** 0 for any free port. */
  readonly port: number
  /** Time limit for authentication in milliseconds. */
  readonly grace?: number
  /** Lifetime limits of connections; default `standardBounds`. */
  readonly bounds?: Partial<Bounds>
}

/** Maximum number of concurrent connections. */
const CONNECTIONS = 500
/** Maximum for one network, whatever HTTP permits: a few networks must not lock out all others. */
const PER_NETWORK = 100
/** Default time limit for authentication, in milliseconds. */
const GRACE = 60_000
/** Default time for running commands at shutdown, in milliseconds. */
const PATIENCE = 10_000
/** Interval of keep-alive messages in milliseconds; a client that misses four is disconnected. */
const KEEPALIVE = 30_000

/** Starts the server; rejects if it cannot listen. Sets `deps.ssh` to the actual port. */
export async function startSshServer(deps: Deps, { hostKey, host, url, port, grace = GRACE, bounds }: SshOptions): Promise<SshServer> {
  const running = new Set<Promise<void>>()
  const limits = admissionLimits(deps.config)
  // 0 means no limit.
  const perNetwork = limits.perNetwork === 0 ? 0 : Math.min(limits.perNetwork, PER_NETWORK)
  const admission = new Admission({ ...limits, perNetwork, total: CONNECTIONS })
  const connections = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>()
  const ssh = new ssh2.Server({ hostKeys: [hostKey], ident: 'Ingot', keepaliveInterval: KEEPALIVE })
  ssh.on('connection', (client, { ip, port }) =>
    serveConnection(
      client,
      deps,
      { ip, url: addressFor(deps, url, connections.get(`${ip}:${port}`)?.socket), bounds: { ...standardBounds, ...bounds } },
      {
        authenticated: () => clearTimeout(connections.get(`${ip}:${port}`)?.timer),
        running(command) {
          const socket = connections.get(`${ip}:${port}`)?.socket
          const release = socket && admission.occupy(socket)
          running.add(command)
          void command.finally(() => {
            running.delete(command)
            release?.()
          })
        },
      },
    ),
  )

  // Our own socket server, since the library has no timeout for clients that never send anything.
  const server = createServer(socket => {
    const { remoteAddress: ip, remotePort } = socket
    socket.on('error', error => deps.log.info({ err: error, ip }, 'an SSH connection broke'))
    if (ip === undefined) return void socket.destroy()
    const limit = admission.admit(socket)
    if (limit !== undefined) {
      deps.log.warn({ address: ip, limit }, 'an SSH connection was refused: there are too many')
      return void socket.destroy()
    }
    const name = `${ip}:${remotePort}`
    const timer = setTimeout(() => socket.destroy(), grace)
    connections.set(name, { socket, timer })
    socket.once('close', () => {
      clearTimeout(timer)
      connections.delete(name)
    })
    deps.limiter.request(anonymous, ip).then(
      () => ssh.injectSocket(socket),
      error => {
        if (!(error instanceof Refusal)) deps.log.error({ err: error }, 'an SSH connection was not taken')
        socket.destroy()
      },
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  const taken = (server.address() as AddressInfo).port
  deps.ssh.port ??= taken

  return {
    port: taken,
    async stop(patience = PATIENCE) {
      admission.stop()
      const closed = close(server)
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, patience)
      await Promise.race([Promise.all(running), timeout.promise])
      clearTimeout(timer)
      for (const { socket } of connections.values()) socket.destroy()
      // Their git processes end with them, and started pushes are finished.
      await Promise.all(running)
      await closed
    },
  }
}

/** The URL of the instance for a client: the configured one, or the address of this machine that the client has connected to. */
function addressFor({ config }: Deps, url: string, socket: Socket | undefined): string {
  if (config.externalUrl !== undefined) return config.externalUrl
  const reached = new URL(url)
  const address = socket?.localAddress?.replace(/^::ffff:(?=[\d.]+$)/, '')
  if (address !== undefined) reached.hostname = isIPv6(address) ? `[${address}]` : address
  return reached.origin
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
