/** `dotenv` reports: variables that a job passes to later jobs. */
import type { Context } from '../../platform/kernel/context.ts'
import { type Tier, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import { bytesAt, objectSource } from '../artifacts/zip/index.ts'
import { given, insertRunVariables } from '../run_variables/given.ts'
import { filesIn, UnfitGzip } from './gzip.ts'

/** Maximum size of a report in bytes, inflated and packed. */
const MAX_SIZE = 5 * 1024
const MAX_PACKED = 16 * 1024
/** Maximum variables of a report: more with a subscription. */
const MAX_VARIABLES = { free: 20, paid: 150 } as const
const MAX_KEY = 255

export interface DotenvVariable {
  readonly key: string
  readonly value: string
}

/**
 * Parses a report: a variable a line, the last one of a name counts. Quotes and `$` are ordinary characters.
 * @throws Refusal 400 for any other line, including empty ones and comments; for too many variables; for an invalid name
 */
export function parseDotenv(text: string, tier: Tier): DotenvVariable[] {
  const variables = new Map<string, string>()
  for (const line of text.replace(/\r?\n$/, '').split(/\r?\n/)) {
    const [, key, value] = /^([^=]*)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw badRequest('Invalid Format')
    variables.set(key.trim(), value.trim())
  }
  const limit = tierCovers(tier, 'premium') ? MAX_VARIABLES.paid : MAX_VARIABLES.free
  if (variables.size > limit) throw badRequest(`Dotenv files cannot have more than ${limit} variables`)
  for (const [key, value] of variables)
    if (!/^\w+$/.test(key) || key.length > MAX_KEY || /\0/.test(value))
      throw badRequest(`Validation failed: Key ${key.slice(0, 40)} is invalid`)
  return [...variables].map(([key, value]) => ({ key, value }))
}

/** The variables of a stored report. @throws Refusal 400 */
export async function readDotenv(
  objects: ObjectStore,
  stored: { readonly key: string; readonly size: number },
  tier: Tier,
): Promise<DotenvVariable[]> {
  const tooBig = () => badRequest(`Dotenv Artifact Too Big. Maximum Allowable Size: ${MAX_SIZE}`)
  if (stored.size > MAX_PACKED) throw tooBig()
  const packed = await bytesAt(objectSource(objects, stored), 0, stored.size)
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const file of filesIn(packed))
      for await (const piece of file) {
        size += piece.length
        if (size > MAX_SIZE) throw tooBig()
        pieces.push(piece)
      }
  } catch (error) {
    throw error instanceof UnfitGzip ? badRequest('Invalid Format') : error
  }
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw badRequest('Invalid Format')
  return parseDotenv(text, tier)
}

/** Stores the variables of a job, encrypted. `ctx.db` must be a transaction. */
export const keepDotenv = (
  ctx: Pick<Context, 'db' | 'deps' | 'now'>,
  job_id: number,
  variables: readonly DotenvVariable[],
): Promise<void> => insertRunVariables(ctx, { job_id }, variables.map(given), 'dotenv')
