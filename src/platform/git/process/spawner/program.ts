/**
 * The launcher: a small process that starts others for a large one (launcher.ts says why). Each gets connections to the server's socket
 * as its standard input and output, so that no byte passes through here. It ends when the server does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { type Ended, headerOf, type Kill, type Launch, type Started, type StreamName } from './messages.ts'

const [socketPath] = process.argv.slice(2) as [string]

const STDERR_KEPT = 64 * 1024

/** How long a process that is asked to end may take, in milliseconds. */
const GRACE = 2000

/** What runs, and what is about to; null for what is to be killed before it has begun. */
const running = new Map<number, ChildProcess | undefined | null>()

process.on('message', (message: Launch | Kill) => {
  if ('kill' in message) kill(message.kill)
  else launch(message).catch(error => end(message.id, { exitCode: null, stderr: '', error: String(error) }))
})

// The server decides what becomes of its processes: a key in its terminal is not meant for them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => {
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit()
})

function kill(id: number): void {
  if (!running.has(id)) return
  const child = running.get(id)
  if (child) stop(child)
  else running.set(id, null)
}

/** With all that it has started: git hands SIGTERM on to some of them, and what speaks HTTP for it would go on reading from the other server. */
function stop(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE)
  child.once('close', () => clearTimeout(timer))
}

/** Each process leads a group, in which those are that it starts. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // They have ended.
  }
}

async function launch({ id, program, arguments: args, directory, environment, niceness }: Launch): Promise<void> {
  running.set(id, undefined)
  const [stdin, stdout] = await Promise.all([connection(id, 'stdin'), connection(id, 'stdout')])
  try {
    const child = spawn(program, args, { cwd: directory, env: environment, stdio: [stdin, stdout, 'pipe'], detached: true })
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
    follow(id, child)
  } finally {
    // The process has them now: they end when it does.
    stdin.destroy()
    stdout.destroy()
  }
}

function follow(id: number, child: ChildProcess): void {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  child.once('error', error => end(id, { exitCode: null, stderr, error: String(error) }))
  child.once('close', exitCode => end(id, { exitCode, stderr }))
  if (child.pid === undefined) return
  say({ id, pid: child.pid })
  const isUnwanted = running.get(id) === null
  running.set(id, child)
  if (isUnwanted) stop(child)
}

function end(id: number, how: { readonly exitCode: number | null; readonly stderr: string; readonly error?: string }): void {
  if (running.delete(id)) say({ id, ...how })
}

/** A server that ends meanwhile hears nothing any more: `disconnect` follows. */
function say(message: Started | Ended): void {
  process.send?.(message, undefined, {}, () => {})
}

/** A connection to the server that has said what it is. Not read here: what comes next is the process's. */
function connection(id: number, name: StreamName): Promise<Socket> {
  const socket = new Socket().pause()
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(socketPath, () => socket.write(headerOf(id, name), error => (error ? reject(error) : resolve(socket))))
  })
}
