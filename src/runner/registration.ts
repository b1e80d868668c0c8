/** How a runner gets its token: the one that it was given, the one that it keeps from before, or a new one by registering. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Coordinator } from './coordinator.ts'

export interface RegistrationOptions {
  readonly coordinator: Coordinator
  readonly url: string
  /** A registration token, or the runner's own. */
  readonly token: string
  readonly description: string
  readonly tags: readonly string[]
  /** The file in which the runner's token is kept between starts. */
  readonly file: string
}

/** The token of the runner, registered if need be. @throws ProtocolError where the server knows neither token */
export async function runnerToken({ coordinator, url, token, description, tags, file }: RegistrationOptions): Promise<string> {
  const kept = await keptToken(file, url)
  if (kept !== undefined && (await coordinator.verify(kept))) return kept
  if (await coordinator.verify(token)) return token
  const made = await coordinator.register({ token, description, tags })
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Whole or not at all: a runner that forgets its token registers once more.
  await writeFile(`${file}.new`, JSON.stringify({ url, token: made }), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return made
}

async function keptToken(file: string, url: string): Promise<string | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as { url?: unknown; token?: unknown }
    return kept.url === url && typeof kept.token === 'string' ? kept.token : undefined
  } catch {
    return undefined
  }
}
