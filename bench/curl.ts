/** Large bodies by curl: it takes little of the machine, whatever it sends and gets. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { environment } from './environment.ts'

const run = promisify(execFile)

/** Runs curl and answers the megabytes (of 1,000,000 bytes) a second at which `bytes` went over. @throws Error unless the answer is a 2xx */
export async function transferRate(bytes: number, args: readonly string[]): Promise<number> {
  const said = '%{http_code} %{time_total}'
  const { stdout } = await run('curl', ['--silent', '--show-error', '--fail', '--output', '/dev/null', '--write-out', said, ...args], {
    env: environment,
  })
  const seconds = Number(stdout.split(' ')[1])
  return bytes / 1e6 / seconds
}

/** Sends a file as runners do: one part of a form, without its length beforehand. */
export const uploadOf = (file: string): string[] => [
  '--form',
  `file=@${file}`,
  '--header',
  'Transfer-Encoding: chunked',
  '--header',
  'Expect:',
]
