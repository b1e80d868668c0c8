/**
 * Limits on open connections, in total and per network. At a limit an idle connection is closed for the new one, so that idle connections
 * block nobody; the new connection is refused only if all others have requests.
 */
import type { Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { isLoopback, isWithin, networkOf } from '../../networks.ts'

export interface AdmissionLimits {
  /** Connections from one network (networks.ts); 0: no limit. */
  readonly perNetwork: number
  /** Connections in total; 0: no limit. */
  readonly total: number
  /** Tenths of a second for which a connection without requests is kept: its first request may be on the way. Default 5. */
  readonly grace?: number
  /** Addresses that stand for many clients. */
  isExempt(address: string): boolean
}

/** The limits of a configuration. Behind a proxy all clients share its address, so the proxy has no limit. */
export const admissionLimits = (
  config: Pick<Config, 'connectionsPerAddress' | 'connections' | 'trustedProxies' | 'externalUrl'>,
): AdmissionLimits => ({
  perNetwork: config.connectionsPerAddress,
  total: config.connections,
  isExempt: address => isWithin(address, config.trustedProxies) || (config.externalUrl !== undefined && isLoopback(address)),
})

/** The state of an open connection. */
interface Known {
  readonly network: string | undefined
  /** Running requests on it. */
  work: number
  /** Has it had a request? */
  isUsed: boolean
  /** When it became idle, by the clock of the admission. */
  idleSince: number
}

const GRACE = 5

/** The unit of the grace, in milliseconds. Between two of them the loop looks for what has come, so a request that it was too busy to read counts. */
const TICK = 100

export class Admission {
  readonly #limits: AdmissionLimits
  /** Idle connections in the order in which they became idle, with the busy ones anywhere. */
  readonly #open = new Map<Socket, Known>()
  readonly #networks = new Map<string, Set<Socket>>()
  readonly #close: (socket: Socket, isUsed: boolean) => void
  readonly #timer: NodeJS.Timeout
  #ticks = 0

  /** @param close closes an idle connection for another one; `isUsed`: it has had a request */
  constructor(limits: AdmissionLimits, close: (socket: Socket, isUsed: boolean) => void = socket => socket.destroy()) {
    this.#limits = limits
    this.#close = close
    this.#timer = setInterval(() => this.#ticks++, TICK).unref()
  }

  /** Stops the clock. Afterwards nothing becomes idle enough to make room. */
  stop(): void {
    clearInterval(this.#timer)
  }

  /** Counts a connection until it closes. Returns the limit that refuses it, if one does; then it is not counted. */
  admit(socket: Socket): 'network' | 'total' | undefined {
    const address = socket.remoteAddress ?? ''
    const { perNetwork, total, isExempt } = this.#limits
    const network = isExempt(address) ? undefined : networkOf(address)
    const neighbours = network === undefined ? undefined : (this.#networks.get(network) ?? new Set())
    if (neighbours && perNetwork > 0 && neighbours.size >= perNetwork && !this.#makeRoom(neighbours)) return 'network'
    if (total > 0 && this.#open.size >= total && !this.#makeRoom(this.#largest()) && !this.#makeRoom(this.#open.keys())) return 'total'
    this.#open.set(socket, { network, work: 0, isUsed: false, idleSince: this.#ticks })
    if (network !== undefined && neighbours) this.#networks.set(network, neighbours.add(socket))
    socket.once('close', () => this.#forget(socket))
    return undefined
  }

  /** Marks the connection as busy until the returned function is called; it is not closed for another one meanwhile. */
  occupy(socket: Socket): () => void {
    const known = this.#open.get(socket)
    if (!known) return () => {}
    known.work += 1
    known.isUsed = true
    return () => {
      known.work -= 1
      known.idleSince = this.#ticks
      // Moved to the end, so that the connection that has been idle longest comes first.
      if (known.work === 0 && this.#open.delete(socket)) this.#open.set(socket, known)
    }
  }

  /** Closes the first idle one of these. */
  #makeRoom(sockets: Iterable<Socket>): boolean {
    const latest = this.#ticks - (this.#limits.grace ?? GRACE)
    for (const socket of sockets) {
      const known = this.#open.get(socket)
      if (!known || known.work > 0 || known.idleSince > latest) continue
      this.#forget(socket)
      this.#close(socket, known.isUsed)
      return true
    }
    return false
  }

  /** The connections of the network with the most. */
  #largest(): Iterable<Socket> {
    let largest: Set<Socket> = new Set()
    for (const sockets of this.#networks.values()) if (sockets.size > largest.size) largest = sockets
    return largest
  }

  #forget(socket: Socket): void {
    const known = this.#open.get(socket)
    if (!known) return
    this.#open.delete(socket)
    const neighbours = known.network === undefined ? undefined : this.#networks.get(known.network)
    neighbours?.delete(socket)
    if (known.network !== undefined && neighbours?.size === 0) this.#networks.delete(known.network)
  }
}
