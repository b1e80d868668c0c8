/** A connection of a client: it authenticates by key, then opens sessions, each of which runs one command. */
import { PassThrough } from 'node:stream'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { judgeAttempt } from './authenticate.ts'
import { type Bounds, Lifetime } from './lifetime.ts'
import { serveExchange } from './serve.ts'
import { StallWatch } from './stall.ts'

/** Maximum authentication attempts; clients with many keys offer one after the other. */
const ATTEMPTS = 10
/** Maximum concurrent sessions of a connection. */
const SESSIONS = 10

/** Notifications of a connection to the server. */
export interface Watch {
  /** The client has authenticated. */
  authenticated(): void
  /** A command runs; the promise resolves at its end and never rejects. */
  running(command: Promise<void>): void
}

/** The origin of a connection, and the limits that apply to it. */
export interface Origin {
  readonly ip: string
  /** HTTP URL of the instance for this client, without a trailing slash. */
  readonly url: string
  readonly bounds: Bounds
}

/** Serves a connection until it ends. */
export function serveConnection(client: Connection, deps: Deps, { ip, url, bounds }: Origin, watch: Watch): void {
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
    // Every client first requests the list of methods.
    if (attempt.method === 'none') return attempt.reject(['publickey'])
    judgeAttempt(attempt, deps, ip).then(
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
        const command = run(deps, { channel, line, protocol, key: key as CredentialName, ip, url, gone: gone.signal })
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

/** Callbacks of a session. */
interface SessionWatch {
  readonly begin: (channel: ServerChannel, line: string | undefined, protocol: string | undefined) => Promise<void>
  /** Does the connection still accept commands? */
  readonly mayBegin: () => boolean
  /** Called once, when the session has ended. */
  readonly over: () => void
}

/** Waits for the request of the session, a command or a shell, and runs only one. */
function serveSession(session: Session, { begin, mayBegin, over }: SessionWatch): void {
  let protocol: string | undefined
  let hasBegun = false
  const start = (accept: () => ServerChannel, reject: () => void, line: string | undefined) => {
    if (hasBegun || !mayBegin()) return reject?.()
    hasBegun = true
    void begin(accept(), line, protocol).finally(over)
  }
  session.on('env', (accept, reject, { key, val }) => {
    // Other variables, such as the language, have no effect.
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
  readonly gone: AbortSignal
}

/**
 * Runs a command on a channel. The command gets its own streams: a channel must stay open until the exit code is sent, and does not
 * inform its writers when the client disconnects.
 */
async function run(deps: Deps, { channel, line, protocol, key, ip, url, gone }: Run): Promise<void> {
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
  const exitCode = await serveExchange(deps, { key, ip, url, line, protocol, request, response, stall, say, signal: left.signal })
  // Everything is sent, or the client is gone.
  await sent
  stall.stop()
  gone.removeEventListener('abort', leave)
  channel.unpipe(request)
  channel.exit(stall.isStalled ? 1 : exitCode)
  channel.end()
  // Further input is read and discarded, so that the end of the client is noticed.
  channel.resume()
}
