/** The system's git as a client has it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { environment } from './environment.ts'

const run = promisify(execFile)

/** Runs git and returns what it printed; rejects when it fails. Bounded at two minutes. */
export async function git(args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { env: environment, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 })
  return stdout
}
