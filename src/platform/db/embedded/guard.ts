/**
 * The guard: a small shell that outlives Ingot by a moment and stops the database server.
 *
 * It reads from a pipe that Ingot holds. A line names the pid of the server, an empty line says that there is none; a guard that replaces a
 * killed one gets the pid with its start. When the pipe closes, because Ingot closed it or was killed in any way, the guard stops the
 * server, removes its socket directory, and empties the home of an ephemeral one. A clean stop and a crash therefore take the same path.
 * The guard ignores the signals that a terminal or a process supervisor sends to all processes of the group.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import type { User } from './account.ts'
import { plainEnvironment } from './settings.ts'

// INT is PostgreSQL's fast shutdown, QUIT (after 30 seconds) its immediate one, from which it recovers at the next start.
const script = `
trap '' HUP INT TERM
server=$3
while read -r line; do server=$line; done
if [ -n "$server" ]; then
  kill -INT "$server"
  tries=0
  while kill -0 "$server" && [ "$tries" -lt 600 ]; do sleep 0.05; tries=$((tries + 1)); done
  kill -QUIT "$server"
  [ -z "$2" ] || rm -rf "$2"
fi 2>/dev/null
rm -rf "$1"
`

export type Guard = {
  /** Sets the server to stop when Ingot ends; undefined: there is none at the moment. */
  watch(pid: number | undefined): void
  /** Stops the server and resolves when it has ended and its socket directory is removed. */
  stop(): Promise<void>
}

/**
 * Starts a guard, and a new one if it is killed.
 * @param ephemeralHome what to empty when the server has ended; undefined: the data stay
 */
export function startGuard(socketDir: string, ephemeralHome: string | undefined, user: User | undefined, log: Log): Guard {
  let watched: number | undefined
  let stopped: Promise<void> | undefined
  let shell = start()

  function start(): ChildProcess {
    // The pid is not left to the first line alone: Ingot can be killed before it writes that.
    const args = ['-c', script, 'ingot-database-guard', socketDir, ephemeralHome ?? '', `${watched ?? ''}`]
    const child = spawn('/bin/sh', args, {
      ...user,
      cwd: '/',
      env: plainEnvironment,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.unref()
    ;(child.stdin as Socket).unref()
    // A pipe broken by the guard's death shows as its exit.
    child.stdin!.on('error', error => log.debug({ error }, 'pipe of the database guard'))
    child.on('error', error => log.error({ error }, 'the database guard did not start'))
    child.on('exit', () => {
      if (stopped) return
      log.warn('the guard of the database ended; starting another')
      shell = start()
    })
    return child
  }

  function watch(pid: number | undefined): void {
    watched = pid
    shell.stdin!.write(`${pid ?? ''}\n`)
  }

  function stop(): Promise<void> {
    stopped ??= end()
    return stopped
  }

  async function end(): Promise<void> {
    shell.ref()
    const gone = once(shell, 'exit')
    shell.stdin!.end()
    await gone
  }

  return { watch, stop }
}
