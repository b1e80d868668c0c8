/** Which git is installed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The version of the git that the PATH finds, `2.39.5`. @throws Error there is none */
export async function gitVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['version'], { timeout: 10_000 })
  const [version] = /\d+(\.\d+)+/.exec(stdout) ?? []
  if (version === undefined) throw new Error('git does not say its version')
  return version
}
