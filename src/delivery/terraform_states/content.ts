/**
 * What a version of a state says: JSON with passwords in it, which is kept encrypted. A large one is read and checked in a thread, and kept and sent in
 * parts: as one text of tens of megabytes it would hold the process.
 */
import { isUtf8 } from 'node:buffer'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import type { Secret } from '../../platform/secret.ts'
import { ThreadedWork, WorkTooLarge } from '../../platform/threads/threaded_work.ts'
import { partOf, type VersionRow } from './queries.ts'

/** Bind the ciphertexts to their columns. */
const PURPOSE = 'terraform_state_versions.content'
const PART_PURPOSE = 'terraform_state_parts.content'

/** Bytes up to which a state is kept as one, and those of a part of a larger one. */
const PART = 256 * 1024

/** Milliseconds until the check of a large state is given up. */
const PATIENCE = 10_000

/** A state that was checked, with the bytes that it came in. */
export interface CheckedState {
  readonly serial: number
  readonly content: Buffer
}

/** A state for its column; null for a large one, whose parts `keepParts` keeps. */
export const sealContent = ({ secrets }: Pick<Deps, 'secrets'>, content: Buffer): string | null =>
  content.length > PART ? null : secrets.encrypt(content.toString('utf8'), PURPOSE)

/** Bytes that a state takes when it is sealed, about. */
export const sealedSize = ({ length }: Buffer): number => Math.ceil((length * 4) / 3) + 64 * Math.ceil(length / PART)

/** Keeps the parts of a large state, in a transaction. */
export async function keepParts(db: Db, { secrets }: Pick<Deps, 'secrets'>, version_id: number, content: Buffer): Promise<void> {
  if (content.length <= PART) return
  let position = 0
  for (let start = 0; start < content.length; position++) {
    const end = characterBefore(content, start + PART)
    const sealed = secrets.encrypt(content.toString('utf8', start, end), PART_PURPOSE)
    await db.insertInto('terraform_state_parts').values({ version_id, position, content: sealed }).execute()
    start = end
  }
}

/** The beginning of the character that a place in UTF-8 is within, or the end. */
function characterBefore(bytes: Buffer, place: number): number {
  if (place >= bytes.length) return bytes.length
  let at = place
  while (((bytes[at] as number) & 0xc0) === 0x80) at--
  return at
}

/** What a version says, as it was written: whole, or in parts. */
export const contentOf = ({ deps }: Pick<Context, 'deps'>, { id, content }: Pick<VersionRow, 'id' | 'content'>) =>
  content === null ? partsOf(deps, id) : deps.secrets.decrypt(content, PURPOSE)

async function* partsOf({ database, secrets }: Pick<Deps, 'database' | 'secrets'>, versionId: number): AsyncGenerator<Secret> {
  for (let position = 0; ; position++) {
    const part = await partOf(database.db, versionId, position)
    if (!part) return
    yield secrets.decrypt(part.content, PART_PURPOSE)
  }
}

/** Checks what a client has sent. @throws Refusal 400 for what is no state; 429 or 503 where too many large ones wait */
export async function checkedState(content: Buffer): Promise<CheckedState> {
  const checked = content.length > PART ? await inThread(content) : { serial: serialIn(content), content }
  if (checked.serial === undefined) throw badRequest('the body is no state: it needs a serial')
  return checked as CheckedState
}

const threads = new ThreadedWork<Buffer, number | undefined>(new URL('./thread.ts', import.meta.url), 1024)

async function inThread(content: Buffer): Promise<Partial<CheckedState> & Pick<CheckedState, 'content'>> {
  try {
    const serial = await threads.run(content, PATIENCE)
    return { ...(serial === undefined ? {} : { serial }), content }
  } catch (error) {
    throw error instanceof WorkTooLarge ? badRequest('the state is too complex to be read') : error
  }
}

/** The serial of a state; undefined for what is no state. */
export function serialIn(content: Uint8Array): number | undefined {
  let said: unknown
  try {
    said = isUtf8(content) ? JSON.parse(Buffer.from(content.buffer, content.byteOffset, content.length).toString('utf8')) : undefined
  } catch {
    return undefined
  }
  const serial = typeof said === 'object' && said !== null && 'serial' in said ? said.serial : undefined
  return Number.isSafeInteger(serial) && (serial as number) >= 0 ? (serial as number) : undefined
}
