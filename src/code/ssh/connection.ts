/** One connection of a client: it proves its key, then opens sessions, each of which runs one command. */
import { PassThrough } from 'node:stream'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { WorkSlots } from '../../platform/kernel/request/work_slots.ts'
import { judgeAttempt } from './authenticate.ts'
import { type Bounds, Lifetime } from './lifetime.ts'
import { serveExchange } from './serve.ts'
import { StallWatch } from './stall.ts'

/** Attempts to authenticate before the connection is ended; clients with many keys offer one after the other. */
const ATTEMPTS = 10
/** Sessions that a connection may have at once. */
const SESSIONS = 10

/** What the server wants to know of a connection. */
export interface Watch {
  /** Its key is proved. */
  authenticated(): void
  /** A command runs; the promise ends with it and never fails. */
  running(command: Promise<void>): void
}

/** Where a connection comes from, and what leads from there to the instance. */
export interface Origin {
  readonly ip: string
  /** The address of the instance over HTTP for this client, without a slash at its end. */
  readonly url: string
  readonly bounds: Bounds
  /** Commands of all connections. */
  readonly slots: WorkSlots
}

/** Serves a connection until it ends. */
export function serveConnection(client: Connection, deps: Deps, { ip, url, bounds, slots }: Origin, watch: Watch): void {
  let key: CredentialName | undefined
  let attempts = 0
  let sessions = 0
  let lifetime: Lifetime | undefined
  const gone = new AbortController()
  client.on('error', error => deps.log.info({ err: error, ip }, 'an SSH connection broke'))
  client.on('close', () => {
    lifetime?.stop()
    gone.abort()
  })
  client.on('authentication', attempt => {
    // Everybody asks first what there is.
    if (attempt.method === 'none') return attempt.reject(['publickey'])
    judgeAttempt(attempt, deps).then(
      verdict => {
        if (verdict === 'offer') return ++attempts > ATTEMPTS ? void client.end() : attempt.accept()
        if (verdict === 'refused') return ++attempts >= ATTEMPTS ? void client.end() : attempt.reject(['publickey'])
        key = verdict
        attempt.accept()
      },
      error => {
        deps.log.error({ err: error }, 'an SSH client could not be authenticated')
        client.end()
      },
    )
  })
  client.on('ready', () => {
    lifetime = new Lifetime(bounds, () => client.end())
    watch.authenticated()
  })
  client.on('session', (accept, reject) => {
    if (sessions >= SESSIONS) return reject()
    sessions++
    serveSession(accept(), {
      begin(channel, line, protocol) {
        const ended = (lifetime as Lifetime).begin()
        const command = run(deps, { channel, line, protocol, key: key as CredentialName, ip, url, slots, gone: gone.signal })
        watch.running(command.finally(ended))
        return command
      },
      mayBegin: () => lifetime?.takesCommands === true,
      over: () => {
        sessions--
      },
    })
  })
}

/** What a session leads to. */
interface SessionWatch {
  readonly begin: (channel: ServerChannel, line: string | undefined, protocol: string | undefined) => Promise<void>
  /** Is the connection still one that takes commands? */
  readonly mayBegin: () => boolean
  /** Nothing of it is left. Called once. */
  readonly over: () => void
}

/** Waits for what the session is to run: a command, or a shell. It runs one and no more. */
function serveSession(session: Session, { begin, mayBegin, over }: SessionWatch): void {
  let protocol: string | undefined
  let hasBegun = false
  const start = (accept: () => ServerChannel, reject: () => void, line: string | undefined) => {
    if (hasBegun || !mayBegin()) return reject?.()
    hasBegun = true
    void begin(accept(), line, protocol).finally(over)
  }
  session.on('env', (accept, reject, { key, val }) => {
    // Other variables, such as the language, are the client's own affair.
    if (key !== 'GIT_PROTOCOL') return void reject?.()
    protocol = val
    accept?.()
  })
  session.on('exec', (accept, reject, { command }) => start(accept, reject, command))
  session.on('shell', (accept, reject) => start(accept, reject, undefined))
  session.on('close', () => {
    if (hasBegun) return
    hasBegun = true
    over()
  })
}

interface Run {
  readonly channel: ServerChannel
  readonly line: string | undefined
  readonly protocol: string | undefined
  readonly key: CredentialName
  readonly ip: string
  readonly url: string
  readonly slots: WorkSlots
  readonly gone: AbortSignal
}

/**
 * Runs a command on a channel. The command gets streams of its own: a channel must not be ended before the exit code
 * is sent, and does not tell its writers when the client has gone.
 */
async function run(deps: Deps, { channel, line, protocol, key, ip, url, slots, gone }: Run): Promise<void> {
  const [request, response] = [new PassThrough(), new PassThrough()]
  const left = new AbortController()
  const leave = () => {
    left.abort()
    request.end()
    response.destroy()
  }
  const sent = new Promise<void>(resolve => response.once('close', resolve))
  response.on('error', () => {})
  channel.on('error', leave).once('close', leave)
  gone.addEventListener('abort', leave, { once: true })
  const say = (text: string) => void channel.stderr.write(`${text}\n`)
  const { stallTimeout } = deps.config
  const stall = new StallWatch({ request, response }, stallTimeout * 1_000, () => {
    deps.log.info({ ip }, 'an SSH client let a command wait')
    say(`ERROR: Nothing was sent or read for ${stallTimeout} seconds.`)
    leave()
  })
  channel.pipe(request)
  response.pipe(channel, { end: false })
  channel.on('data', (chunk: Buffer) => stall.received(chunk.length))
  response.on('data', (chunk: Buffer) => stall.sent(chunk.length))
  const exitCode = await serveExchange(deps, { key, ip, url, slots, line, protocol, request, response, stall, say, signal: left.signal })
  // Everything is on its way, or nobody reads it any more.
  await sent
  stall.stop()
  gone.removeEventListener('abort', leave)
  channel.unpipe(request)
  channel.exit(stall.isStalled ? 1 : exitCode)
  channel.end()
  // What the client still sends is read and dropped, so that its end is heard.
  channel.resume()
}
