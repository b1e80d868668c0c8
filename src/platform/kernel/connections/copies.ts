/**
 * Further descriptors of a socket. Node waits for a descriptor by one object only, and has no call that makes another descriptor of the same socket. A
 * socket that is sent to another process and back arrives with a new one (SCM_RIGHTS, unix(7)), so a program that does nothing else sends it back.
 */
import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'

/** Node's object of a socket that listens. It waits for nothing until a server listens with it, and has no type. */
export interface Handle {
  readonly fd: number
  close(): void
}

const SCRIPT = `process.on('message', (count, socket) => {
  for (let left = count; left > 0; left--) process.send(left, socket, left === 1 ? () => process.disconnect() : undefined)
})`

/**
 * @param handle of a socket that listens
 * @param signal ends the program
 * @throws Error the program could not be run, or has ended too early; no copy is left then
 */
export async function copiesOf(handle: Handle, count: number, signal: AbortSignal): Promise<Handle[]> {
  // It needs no setting, and none of the secrets among them.
  const program = spawn(process.execPath, ['--eval', SCRIPT], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    killSignal: 'SIGKILL',
    signal,
  })
  const copies: Handle[] = []
  program.on('message', (_left, copy) => copies.push(copy as unknown as Handle))
  program.unref()
  program.channel?.unref()
  // Its end is waited for then, by a process that may have nothing else to wait for.
  const stay = () => {
    program.ref()
    program.channel?.ref()
  }
  signal.addEventListener('abort', stay, { once: true })
  const ended = end(program)
  try {
    // The types know servers and connections only, which Node would make objects of in the other process.
    program.send(count, handle as unknown as SendHandle)
    await ended
    if (copies.length < count) throw new Error(`${copies.length} of ${count} descriptors were made`)
    return copies
  } catch (error) {
    for (const copy of copies) copy.close()
    throw error
  }
}

/** Resolves when a program has ended, killed or not; rejects where it could not be run. */
function end(program: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    program.once('close', () => resolve())
    program.on('error', error => {
      if (program.pid === undefined) reject(error)
    })
  })
}
