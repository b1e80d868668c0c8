/** Floors: what the machine gives to a handler that does the same work and nothing else, in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { environment } from '../environment.ts'

/** A floor that listens. */
export interface Floor {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the module of a floor (`answers.ts`, `smart_http.ts`) with its work, which it gets as a message. */
export async function startFloor(module: string, work: unknown, env = environment): Promise<Floor> {
  // Advanced: dates among the parameters of statements arrive as dates.
  const child = fork(new URL(module, import.meta.url), { env, execArgv: [], serialization: 'advanced' })
  child.send(work as object)
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the floor ${module} ended with ${code ?? signal}`)
  })
  ended.catch(() => {})
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string]
  return { url, pid: child.pid as number, stop: () => end(child) }
}

/** A floor ends when its parent lets go of it, however that comes about. */
async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
