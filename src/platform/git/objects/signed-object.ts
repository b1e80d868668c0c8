/** Signed commits and tags: what was signed, and the signature, byte by byte as git sees them. */
import type { Repository } from '../storage/repository.ts'
import { readObjects } from './objects.ts'
import type { ObjectId } from './oid.ts'

/** A signature with what it is of. */
export interface SignedObject {
  readonly id: ObjectId
  /** The object without its signature. */
  readonly payload: Buffer
  /** The text of the signature, in the form of whatever program made it. */
  readonly signature: string
}

/** The header of signatures in repositories whose ids are SHA-1; that of others begins with the same letters. */
const HEADER = 'gpgsig '
const ANY_HEADER = 'gpgsig'
const SPACE = 0x20
const LINE_END = 0x0a

/** The signature of a commit and what it is of; undefined where it has none. As git reads it (`parse_buffer_signed_by_header` in commit.c). */
export function splitCommit(id: ObjectId, data: Buffer): SignedObject | undefined {
  const payload: Buffer[] = []
  const signature: Buffer[] = []
  let within: 'signature' | 'other' | undefined
  for (let start = 0; start < data.length; ) {
    // An empty line: the message follows.
    if (data[start] === LINE_END) {
      payload.push(data.subarray(start))
      break
    }
    const stop = data.indexOf(LINE_END, start)
    const end = stop < 0 ? data.length : stop + 1
    const line = data.subarray(start, end)
    const head = line.subarray(0, HEADER.length).toString('latin1')
    if (line[0] !== SPACE) within = head === HEADER ? 'signature' : head.startsWith(ANY_HEADER) ? 'other' : undefined
    if (within === 'signature') signature.push(line.subarray(line[0] === SPACE ? 1 : HEADER.length))
    else if (within === undefined) payload.push(line)
    start = end
  }
  return signature.length === 0
    ? undefined
    : { id, payload: Buffer.concat(payload), signature: Buffer.concat(signature).toString('latin1') }
}

const beginnings = ['PGP SIGNATURE', 'PGP MESSAGE', 'SSH SIGNATURE', 'SIGNED MESSAGE'].map(kind => `-----BEGIN ${kind}-----`)

/** The signature at the end of an annotated tag and what it is of; undefined where it has none. The last one counts, as for git. */
export function splitTag(id: ObjectId, data: Buffer): SignedObject | undefined {
  const starts = beginnings.map(beginning => data.lastIndexOf(`\n${beginning}`))
  const start = Math.max(...starts) + 1
  return start === 0 ? undefined : { id, payload: data.subarray(0, start), signature: data.subarray(start).toString('latin1') }
}

/** Reads signed commits and tags by id, in order and in one exchange; undefined where an object has no signature. */
export async function readSigned(repository: Repository, ids: readonly ObjectId[]): Promise<(SignedObject | undefined)[]> {
  const objects = await readObjects(repository, ids)
  return objects.map(object => {
    if (object?.type === 'commit') return splitCommit(object.id, object.data)
    return object?.type === 'tag' ? splitTag(object.id, object.data) : undefined
  })
}
