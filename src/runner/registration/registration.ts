/** How a runner gets its token: from its configuration, from the file of an earlier start, or by registration. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Coordinator } from '../coordinator.ts'
import { type HeldToken, RunnerToken } from './own_token.ts'

export interface RegistrationOptions {
  readonly coordinator: Coordinator
  readonly url: string
  /** A registration token, or the runner's own. */
  readonly token: string
  readonly description: string
  readonly tags: readonly string[]
  /** The file that stores the runner's token between starts. */
  readonly file: string
  /** Makes the folder of the file; otherwise one that nobody else may enter. */
  readonly makeFolder?: () => Promise<unknown>
  /** Tells the user of the program what has no effect. */
  readonly say?: (line: string) => void
  /** Milliseconds since 1970; the clock of the machine unless given. */
  readonly clock?: () => number
}

/** The token of the runner, registered if necessary. @throws ProtocolError if the server knows neither token */
export async function runnerToken(options: RegistrationOptions): Promise<RunnerToken> {
  const { coordinator, url, token, description, tags, file, say, clock = Date.now } = options
  const { makeFolder = () => mkdir(dirname(file), { recursive: true, mode: 0o700 }) } = options
  const keep = async (held: HeldToken) => {
    await makeFolder()
    await keepToken(file, url, held)
  }
  const holding = (held: HeldToken) => new RunnerToken(held, { coordinator, keep, clock })
  const kept = await keptToken(file, url)
  const known = kept && (await coordinator.verify(kept.token))
  const given = known ?? (await coordinator.verify(token))
  if (given && tags.length > 0) say?.('The runner is registered already: its tags are changed on its page, not by --tags')
  if (known) return holding({ ...known, since: kept.since ?? clock() })
  if (given) return holding({ ...given, since: clock() })
  const made = { ...(await coordinator.register({ token, description, tags })), since: clock() }
  await keep(made)
  return holding(made)
}

async function keepToken(file: string, url: string, { token, since }: HeldToken): Promise<void> {
  // Atomic: a runner that loses its token would register again.
  await writeFile(`${file}.new`, JSON.stringify({ url, token, since }), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** What an earlier start has stored for this address. */
export async function keptToken(
  file: string,
  url: string,
): Promise<{ readonly token: string; readonly since: number | undefined } | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as { url?: unknown; token?: unknown; since?: unknown }
    if (kept.url !== url || typeof kept.token !== 'string') return undefined
    return { token: kept.token, since: typeof kept.since === 'number' ? kept.since : undefined }
  } catch {
    return undefined
  }
}
