/** One run of the `postgres` program: from its start until it accepts connections, and until it ends. */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { clusterIn } from './cluster.ts'
import { EmbeddedError } from './error.ts'
import type { Guard } from './guard.ts'
import type { Home } from './home.ts'
import { readPidFile } from './pidfile.ts'
import { plainEnvironment, settingsArguments } from './settings.ts'

export type Server = {
  pid: number
  /** Resolves with one line, how it ended, when the process is gone. */
  ended: Promise<string>
}

// The shell waits for a word before it becomes the server: should Ingot die before the guard knows the process, no server ever starts.
const starter = 'read -r go && exec "$@" </dev/null'

/**
 * Starts the server and waits until it accepts connections, however long its recovery takes.
 * @throws EmbeddedError when it ends instead
 */
export async function startServer(
  home: Home,
  guard: Guard,
  { socketDir, isEphemeral, connections }: { socketDir: string; isEphemeral: boolean; connections: number },
  log: Log,
): Promise<Server> {
  const cluster = clusterIn(home)
  const args = ['-D', cluster, '-c', `unix_socket_directories=${socketDir}`, ...settingsArguments(isEphemeral, connections)]
  const child = spawn('/bin/sh', ['-c', starter, 'ingot-database', home.programs.postgres, ...args], {
    ...home.user,
    cwd: '/',
    env: plainEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })

  const printed: string[] = []
  createInterface(child.stderr).on('line', line => {
    printed.push(line)
    if (printed.length > 5) printed.shift()
    log.debug({ component: 'postgres' }, line)
  })
  let end: string | undefined
  const ended = new Promise<string>(resolve => {
    const finish = (how: string) => {
      end = how
      guard.watch(undefined)
      resolve(how)
    }
    child.once('error', error => finish(error.message))
    child.once('exit', (code, signal) => finish(signal ? `killed by ${signal}` : `status ${code}: ${printed.join(' | ')}`))
  })
  child.unref()
  ;(child.stderr as Socket).unref()
  child.stdin.on('error', error => log.debug({ error }, 'pipe of the database server'))

  const { pid } = child
  if (pid === undefined) throw new EmbeddedError(`The database server did not start: ${await ended}`)
  guard.watch(pid)
  child.stdin.end('go\n')
  while (end === undefined) {
    const file = await readPidFile(cluster)
    if (file?.pid === pid && file.status === 'ready') return { pid, ended }
    await delay(5)
  }
  throw new EmbeddedError(`The database server did not start (${end})`)
}
