/**
 * Which refusals the endpoints answered while the tests ran: a run of all tests fails where a declaration names one that no test ever saw
 * (run.ts). Each process adds to a file of its own.
 */
import { appendFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import type { RefusalKind } from '../../src/platform/kernel/errors.ts'
import { isForPeople } from '../../src/platform/kernel/openapi/refusals.ts'

/** Names the folder of a run of all tests; what others see is not noted. */
export const seenVariable = 'INGOT_REFUSALS_SEEN'

// biome-ignore lint/style/noProcessEnv: the way from run.ts to the processes of the tests
const folder = process.env[seenVariable]

const lineOf = ({ dialect, method, path }: Endpoint, kind: RefusalKind): string => `${method} ${dialect.prefix}${path} ${kind}`

const noted = new Set<string>()

/** Notes that an endpoint has answered this. Written as it happens: a process may be ended. */
export function noteRefusal(endpoint: Endpoint, kind: RefusalKind): void {
  if (folder === undefined) return
  const line = lineOf(endpoint, kind)
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(join(folder, String(process.pid)), `${line}\n`)
}

/** What the declarations name in `errors` and no process has noted in this folder. */
export async function refusalsUnseen(endpoints: readonly Endpoint[], within: string): Promise<string[]> {
  const seen = new Set<string>()
  for await (const file of glob('*', { cwd: within }))
    for (const line of (await readFile(join(within, file), 'utf8')).split('\n')) seen.add(line)
  return endpoints
    .filter(endpoint => !isForPeople(endpoint))
    .flatMap(endpoint => (endpoint.errors ?? []).map(kind => lineOf(endpoint, kind)).filter(line => !seen.has(line)))
}
