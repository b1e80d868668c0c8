/** Bodies of requests of Conan. */
import type { Readable } from 'node:stream'
import { badRequest } from '../../../../platform/kernel/errors.ts'
import { isObject, jsonIn } from '../shared/body.ts'

const UNFIT = 'the body is no list of files with their sizes'

/** The names of the files that a client wants to upload, as far as there are such files; others are passed over (public behaviour at 14.0). */
export async function announcedNames(body: Readable, known: readonly string[]): Promise<string[]> {
  const sizes = await jsonIn(body, 100_000, UNFIT)
  if (!isObject(sizes)) throw badRequest(UNFIT)
  return Object.keys(sizes).filter(name => known.includes(name))
}
