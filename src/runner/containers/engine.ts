/** Container engines of this machine, by their own command lines: podman, or docker. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inPath } from '../executors/namespaces.ts'
import type { Outcome } from '../executors/shell.ts'
import { type Command, commandFor, type Engine, LABEL, type Order } from './orders.ts'

/** The streams of an order. */
export interface Streams {
  readonly input?: AsyncIterable<Uint8Array>
  /** Gets what the engine writes to its standard output; the next piece waits for it. */
  readonly onOutput?: (bytes: Uint8Array) => void | Promise<void>
  /** Gets what it says besides. */
  readonly onError?: (bytes: Uint8Array) => void
  readonly signal: AbortSignal
}

/** Carries out orders for jobs, on this machine or by way of a process that may. */
export interface Containers {
  /** Whether jobs may have the network of the machine. */
  readonly mayShareNetwork: boolean
  /** Never throws: an order that must not be carried out is `unstartable`. */
  run(job: number, order: Order, streams: Streams): Promise<Outcome>
}

/** Seconds for an engine to show that it can start a program. */
const PATIENCE = 60

/**
 * Carries out orders with an engine of this machine.
 * @param environment of the engine: none of a job's variables
 */
export function localContainers(engine: Engine, environment: Readonly<Record<string, string>>): Containers {
  return {
    mayShareNetwork: engine.mayShareNetwork,
    async run(job, order, streams) {
      let folder: string | undefined
      try {
        folder = await mkdtemp(join(tmpdir(), 'ingot-engine-'))
        const command = commandFor(engine, job, order, folder)
        for (const [name, text] of Object.entries(command.files)) await writeFile(join(folder, name), text, { mode: 0o600 })
        return await runCommand(engine.program, command.args, environment, streams)
      } catch (error) {
        return { kind: 'unstartable', error: error as Error }
      } finally {
        if (folder !== undefined) await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Runs a command of an engine to its end. When the signal ends it, its containers are still there: the order to remove them follows. */
async function runCommand(
  program: string,
  args: Command['args'],
  environment: Readonly<Record<string, string>>,
  { input, onOutput, onError, signal }: Streams,
): Promise<Outcome> {
  if (signal.aborted) return { kind: 'stopped', reason: signal.reason }
  const child = spawn(program, args, { cwd: '/', env: { ...environment }, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = endOf(child)
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  // It may end before it has read everything; its status says why.
  child.stdin.on('error', () => {})
  child.stderr.on('data', bytes => onError?.(bytes))
  const reading = (async () => {
    for await (const bytes of child.stdout) await onOutput?.(bytes)
  })()
  // Awaited below, when the command has ended.
  reading.catch(kill)
  const writing = write(child, input)
  writing.catch(kill)
  try {
    const outcome = await ended
    if (signal.aborted) return { kind: 'stopped', reason: signal.reason }
    await Promise.all([reading, writing])
    return outcome
  } catch (error) {
    return { kind: 'unstartable', error: error as Error }
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

async function write({ stdin, exitCode }: ChildProcess, input: AsyncIterable<Uint8Array> | undefined): Promise<void> {
  if (!stdin || exitCode !== null) return
  const closed = once(stdin, 'close').catch(() => {})
  for await (const bytes of input ?? []) {
    if (stdin.destroyed) return
    if (!stdin.write(bytes)) await Promise.race([once(stdin, 'drain').catch(() => {}), closed])
  }
  stdin.end()
}

function endOf(child: ChildProcess): Promise<Outcome> {
  return new Promise(resolve => {
    child.once('error', error => resolve({ kind: 'unstartable', error }))
    child.once('close', (code, killedBy) => resolve({ kind: 'exited', code: code ?? (killedBy ? 137 : 1) }))
  })
}

export interface FindOptions {
  /** Where programs are looked for, and what else an engine needs. */
  readonly environment: Readonly<Record<string, string>>
  /** The folder of the runner: no other one has its containers. */
  readonly folder: string
  readonly mayShareNetwork: boolean
}

/** An engine that can start programs; or why there is none. */
export type Found = { readonly engine: Engine } | { readonly whyNot: string }

/** Looks for podman, and then for docker, and tries them. What this runner has left behind of an earlier time is removed. */
export async function findEngine({ environment, folder, mayShareNetwork }: FindOptions): Promise<Found> {
  const reasons: string[] = []
  for (const kind of ['podman', 'docker'] as const) {
    const program = await inPath(kind, environment.PATH ?? '')
    if (program === undefined) continue
    const mark = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    const engine: Engine = { kind, program, mayShareNetwork, mark }
    const whyNot = await whyEngineFails(engine, environment)
    if (whyNot === undefined) {
      await sweep(engine, environment)
      return { engine }
    }
    reasons.push(`${kind}: ${whyNot}`)
  }
  return { whyNot: reasons.length === 0 ? 'neither podman nor docker is installed' : reasons.join('; ') }
}

/** Has podman start a program of this machine in a container; asks docker for its service. @returns what it says where that fails */
async function whyEngineFails({ kind, program }: Engine, environment: Readonly<Record<string, string>>): Promise<string | undefined> {
  const args = {
    podman: ['run', '--rm', '--network', 'none', '--rootfs', '/:O', 'true'],
    docker: ['version', '--format', '{{.Server.Version}}'],
  }[kind]
  const said: Uint8Array[] = []
  const outcome = await runCommand(program, args, environment, {
    onError: bytes => said.push(bytes),
    signal: AbortSignal.timeout(PATIENCE * 1000),
  })
  if (outcome.kind === 'exited' && outcome.code === 0) return undefined
  const line = Buffer.concat(said).toString().trim().split('\n').at(-1) ?? ''
  if (line !== '') return line
  return outcome.kind === 'exited' ? `it ended with status ${outcome.code}` : 'it did not start a program in time'
}

async function sweep({ program, mark }: Engine, environment: Readonly<Record<string, string>>): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE * 1000)
  const listed: Uint8Array[] = []
  const list = ['ps', '--all', '--quiet', '--filter', `label=${LABEL}=${mark}`]
  await runCommand(program, list, environment, { onOutput: bytes => void listed.push(bytes), signal })
  const ids = Buffer.concat(listed)
    .toString()
    .split('\n')
    .filter(id => /^[0-9a-f]+$/.test(id))
  if (ids.length > 0) await runCommand(program, ['rm', '--force', '--volumes', ...ids], environment, { signal })
}
