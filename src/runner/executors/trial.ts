/** Whether namespaces can be made on this machine, found out by making them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Namespaces } from './namespaces.ts'
import { runProgram } from './shell.ts'

/** Seconds for a program that does nothing. */
const PATIENCE = 20

/**
 * Runs a program in namespaces, as the user that runs the jobs.
 * @param builds the folder of the jobs, which exists
 * @returns why it cannot be done, in the words of bubblewrap; undefined if it can
 */
export async function whyNamespacesFail(namespaces: Namespaces, builds: string): Promise<string | undefined> {
  const directory = await mkdtemp(join(builds, 'trial-'))
  const said: Buffer[] = []
  try {
    const outcome = await runProgram('true', [], {
      cwd: directory,
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      onOutput: bytes => said.push(bytes),
      signal: AbortSignal.timeout(PATIENCE * 1000),
      apart: { namespaces, directory },
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return undefined
    const [line = ''] = Buffer.concat(said).toString().trim().split('\n')
    return line === '' ? `bubblewrap ${outcome.kind === 'exited' ? `ended with status ${outcome.code}` : 'did not end'}` : line
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
