/**
 * Starts processes without forking this one. `fork` copies the page tables of the caller and blocks it until the new program runs:
 * milliseconds in which a server of several hundred megabytes answers no request. A launcher of a few megabytes forks instead (program.ts);
 * the streams are sockets between the started process and this one. There is one launcher. It starts with the first process and again when
 * it has died, and it ends with this process, however that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, HEADER_LENGTH, type Kill, type Launch, readHeader, type Started, type StreamName } from './messages.ts'

/** A started process. `stdout` must be read to its end. */
export interface Launched {
  readonly stdin: Socket
  readonly stdout: Socket
  /** Undefined until the process runs. */
  readonly pid: number | undefined
  /** The exit, after the end of `stdout`. Rejects if the process could not be started, or the launcher died. */
  readonly ended: Promise<Pick<Ended, 'exitCode' | 'stderr'>>
  kill(): void
}

/** The state of a running process. */
interface Known {
  pid: number | undefined
  stdin: Socket | undefined
  stdout: Socket | undefined
  readonly connected: PromiseWithResolvers<void>
  readonly ended: PromiseWithResolvers<Ended>
}

/** Its memory limits: it holds no data. */
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1', '--max-old-space-size=32']

/** What lets Node load the program where it is installed as a package (`bin/installed.mjs`). */
const loaders = process.execArgv.filter(flag => flag.startsWith('--import='))

class Launcher {
  readonly #server: Server
  readonly #child: ChildProcess
  readonly #known = new Map<number, Known>()
  #last = 0
  #hasDied = false

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), 'ingot-launcher-'))
    const path = join(directory, 'socket')
    this.#server = createServer(socket => this.#receive(socket))
    this.#server.listen({ path, backlog: 511 }).unref()
    const cache = getCompileCacheDir()
    this.#child = spawn(process.execPath, [...flags, ...loaders, join(import.meta.dirname, 'program.ts'), path], {
      // The environment of this process is not passed on, because it holds secrets. The compile cache saves compiling again, which takes 15
      // of its 45 MB.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message: Started | Ended) => this.#hear(message))
    const die = () => this.#die(directory)
    this.#child.once('error', die).once('exit', die)
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get hasDied(): boolean {
    return this.#hasDied
  }

  async launch(what: Omit<Launch, 'id'>): Promise<Launched> {
    this.#last = (this.#last + 1) % 0xffff_ffff
    const id = this.#last
    const known: Known = {
      pid: undefined,
      stdin: undefined,
      stdout: undefined,
      connected: Promise.withResolvers(),
      ended: Promise.withResolvers(),
    }
    for (const { promise } of [known.connected, known.ended]) promise.catch(() => {})
    // A running child keeps this process alive.
    if (this.#known.size === 0) this.#child.channel?.ref()
    this.#known.set(id, known)
    this.#send({ id, ...what })
    await known.connected.promise
    const stdin = known.stdin!
    const stdout = known.stdout!
    const closed = new Promise<void>(resolve => (stdout.closed ? resolve() : stdout.once('close', resolve)))
    const ended = known.ended.promise.then(async how => {
      stdin.destroy()
      // A stream without a reader must not keep it open.
      if (stdout.listenerCount('data') === 0 && stdout.listenerCount('readable') === 0) stdout.resume()
      await closed
      return how
    })
    return {
      stdin,
      stdout,
      get pid() {
        return known.pid
      },
      ended,
      kill: () => this.#send({ kill: id }),
    }
  }

  #send(message: Launch | Kill): void {
    // If the channel has broken, `exit` follows and settles everything.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** The first bytes of a connection name the stream; the rest is the stream. */
  #receive(socket: Socket): void {
    socket.on('error', () => {})
    socket.once('readable', () => {
      const header: Buffer | null = socket.read(HEADER_LENGTH)
      const { id, name } = readHeader(header?.toString('latin1') ?? '')
      const known = this.#known.get(id)
      if (known) this.#connect(known, name, socket)
      else socket.destroy()
    })
  }

  #connect(known: Known, name: StreamName, socket: Socket): void {
    known[name] = socket
    // No data arrives on stdin; reading detects the close.
    if (name === 'stdin') socket.resume()
    if (known.stdin && known.stdout) known.connected.resolve()
  }

  #hear(message: Started | Ended): void {
    const known = this.#known.get(message.id)
    if (!known) return
    if ('pid' in message) {
      known.pid = message.pid
      return
    }
    if (message.error !== undefined) {
      this.#forget(message.id)
      this.#fail(known, new Error(message.error))
      return
    }
    known.ended.resolve(message)
    // A quick process may have ended before its connections are noticed here.
    known.connected.promise.then(
      () => this.#forget(message.id),
      () => {},
    )
  }

  #fail(known: Known, error: Error): void {
    known.ended.reject(error)
    known.connected.reject(error)
    known.stdin?.destroy()
    known.stdout?.destroy()
  }

  #forget(id: number): void {
    this.#known.delete(id)
    if (this.#known.size === 0) this.#child.channel?.unref()
  }

  #die(directory: string): void {
    this.#hasDied = true
    this.#server.close()
    rmSync(directory, { recursive: true, force: true })
    for (const [id, known] of this.#known) {
      this.#forget(id)
      this.#fail(known, new Error('the launcher of processes has died'))
    }
  }
}

let launcher: Launcher | undefined

/** Starts a program; its streams are open when this resolves. Rejects if it could not be started. */
export function launch(what: Omit<Launch, 'id'>): Promise<Launched> {
  if (!launcher || launcher.hasDied) launcher = new Launcher()
  return launcher.launch(what)
}
