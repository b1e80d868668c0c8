/**
 * The SSH server: git for people with keys and for machines with deploy keys. Nothing is forwarded, no shell and no
 * other program is to be had.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { anonymous } from '../../platform/access/actor.ts'
import { Admission, admissionLimits } from '../../platform/kernel/connections/admission.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { type WorkLimits, WorkSlots } from '../../platform/kernel/request/work_slots.ts'
import { serveConnection } from './connection.ts'
import { type Bounds, standardBounds } from './lifetime.ts'

export interface SshServer {
  /** Where it listens. */
  readonly port: number
  /** Takes no more connections, waits for commands under way, for `patience` milliseconds at most, and ends them all. */
  stop(patience?: number): Promise<void>
}

export interface SshOptions {
  /** The private key by which clients know the server again, in a form that OpenSSH reads. */
  readonly hostKey: string
  readonly host: string
  /** Where the instance is served over HTTP: LFS goes on there. */
  readonly url: string
  /** 0 for any free one. */
  readonly port: number
  /** Milliseconds in which a connection must have proved its key. */
  readonly grace?: number
  /** How long connections last; the standard ones unless given. */
  readonly bounds?: Partial<Bounds>
  /** How many commands run at a time; the standard limits unless given. */
  readonly commands?: Partial<WorkLimits>
}

/** Connections at once, from all addresses together. */
const CONNECTIONS = 500
/** Of these, those of one network at most, whatever HTTP lets it have: a few networks alone must not close the door to all others. */
const PER_NETWORK = 100
/** Commands that run at a time, over all connections. A caller is a user or a deploy key; machines that build fetch in bursts, so some may wait. */
const COMMANDS: WorkLimits = { perCaller: 20, total: 200, waiting: 40, patience: 10_000 }
/** Milliseconds for those who do not authenticate. */
const GRACE = 60_000
/** Milliseconds that commands under way may take once the server is told to stop. */
const PATIENCE = 10_000
/** Milliseconds after which a client that answers nothing is taken for gone: four times this. */
const KEEPALIVE = 30_000

/** Starts the server; rejects when it cannot listen. The port that it got is told to `deps.ssh`. */
export async function startSshServer(
  deps: Deps,
  { hostKey, host, url, port, grace = GRACE, bounds, commands }: SshOptions,
): Promise<SshServer> {
  const running = new Set<Promise<void>>()
  const limits = admissionLimits(deps.config)
  // 0 is no bound.
  const perNetwork = limits.perNetwork === 0 ? 0 : Math.min(limits.perNetwork, PER_NETWORK)
  const slots = new WorkSlots({ ...COMMANDS, ...commands })
  const admission = new Admission({ ...limits, perNetwork, total: CONNECTIONS })
  const connections = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>()
  const ssh = new ssh2.Server({ hostKeys: [hostKey], ident: 'Ingot', keepaliveInterval: KEEPALIVE })
  ssh.on('connection', (client, { ip, port }) =>
    serveConnection(
      client,
      deps,
      { ip, url: addressFor(deps, url, connections.get(`${ip}:${port}`)?.socket), bounds: { ...standardBounds, ...bounds }, slots },
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

  // A socket of our own: the library would let clients that never say a word wait for ever.
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
      const closed = close(server)
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, patience)
      await Promise.race([Promise.all(running), timeout.promise])
      clearTimeout(timer)
      for (const { socket } of connections.values()) socket.destroy()
      // Their git processes end with them, and what pushes have begun is settled.
      await Promise.all(running)
      await closed
    },
  }
}

/** The address of the instance for a client: unless one is configured, the one of this machine that the client has reached. */
function addressFor({ config }: Deps, url: string, socket: Socket | undefined): string {
  if (config.externalUrl !== undefined) return config.externalUrl
  const reached = new URL(url)
  const address = socket?.localAddress?.replace(/^::ffff:(?=[\d.]+$)/, '')
  if (address !== undefined) reached.hostname = isIPv6(address) ? `[${address}]` : address
  return reached.origin
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve())))
