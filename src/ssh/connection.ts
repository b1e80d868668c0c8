/** One connection of a client: it proves its key, then opens sessions, each of which runs one command. */
import { PassThrough } from 'node:stream'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Actor } from '../access/actor.ts'
import type { Deps } from '../kernel/context.ts'
import { judgeAttempt } from './authenticate.ts'
import { serveExchange } from './serve.ts'

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
}

/** Serves a connection until it ends. */
export function serveConnection(client: Connection, deps: Deps, { ip, url }: Origin, watch: Watch): void {
  let actor: Actor | undefined
  let attempts = 0
  let sessions = 0
  const gone = new AbortController()
  client.on('error', error => deps.log.info({ err: error, ip }, 'an SSH connection broke'))
  client.on('close', () => gone.abort())
  client.on('authentication', attempt => {
    // Everybody asks first what there is.
    if (attempt.method === 'none') return attempt.reject(['publickey'])
    judgeAttempt(attempt, deps).then(
      verdict => {
        if (verdict === 'offer') return ++attempts > ATTEMPTS ? void client.end() : attempt.accept()
        if (verdict === 'refused') return ++attempts >= ATTEMPTS ? void client.end() : attempt.reject(['publickey'])
        actor = verdict
        attempt.accept()
      },
      error => {
        deps.log.error({ err: error }, 'an SSH client could not be authenticated')
        client.end()
      },
    )
  })
  client.on('ready', watch.authenticated)
  client.on('session', (accept, reject) => {
    if (sessions >= SESSIONS) return reject()
    sessions++
    serveSession(accept(), (channel, line, protocol) => {
      watch.running(
        run(deps, { channel, line, protocol, actor: actor as Actor, ip, url, gone: gone.signal }).finally(() => {
          sessions--
        }),
      )
    })
  })
}

/** Waits for what the session is to run: a command, or a shell. */
function serveSession(
  session: Session,
  begin: (channel: ServerChannel, line: string | undefined, protocol: string | undefined) => void,
): void {
  let protocol: string | undefined
  session.on('env', (accept, reject, { key, val }) => {
    // Other variables, such as the language, are the client's own affair.
    if (key !== 'GIT_PROTOCOL') return void reject?.()
    protocol = val
    accept?.()
  })
  session.on('exec', (accept, _reject, { command }) => begin(accept(), command, protocol))
  session.on('shell', accept => begin(accept(), undefined, protocol))
}

interface Run {
  readonly channel: ServerChannel
  readonly line: string | undefined
  readonly protocol: string | undefined
  readonly actor: Actor
  readonly ip: string
  readonly url: string
  readonly gone: AbortSignal
}

/**
 * Runs a command on a channel. The command gets streams of its own: a channel must not be ended before the exit code
 * is sent, and does not tell its writers when the client has gone.
 */
async function run(deps: Deps, { channel, line, protocol, actor, ip, url, gone }: Run): Promise<void> {
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
  channel.pipe(request)
  response.pipe(channel, { end: false })
  const say = (text: string) => void channel.stderr.write(`${text}\n`)
  const exitCode = await serveExchange(deps, { actor, ip, url, line, protocol, request, response, say, signal: left.signal })
  // Everything is on its way, or nobody reads it any more.
  await sent
  gone.removeEventListener('abort', leave)
  channel.unpipe(request)
  channel.exit(exitCode)
  channel.end()
  // What the client still sends is read and dropped, so that its end is heard.
  channel.resume()
}
