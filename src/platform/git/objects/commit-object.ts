/** Commits and tags as git stores them: parsing the text of the object, and writing it. */
import { GitError } from '../errors.ts'
import { decodeText } from '../process/text.ts'
import type { ObjectId } from './oid.ts'

/** Who did something and when. `date` is ISO 8601 in the zone of the person: `2021-06-01T12:00:00.000+02:00`. */
export interface Signature {
  readonly name: string
  readonly email: string
  readonly date: string
}

/** A commit as the API shows it (fields in the API's spelling). */
export interface Commit {
  readonly id: ObjectId
  readonly tree_id: ObjectId
  readonly parent_ids: readonly ObjectId[]
  readonly author: Signature
  readonly committer: Signature
  /** The whole message as written. */
  readonly message: string
  /** Its first paragraph's first line. */
  readonly title: string
  /** Has it a signature, whatever that is worth? */
  readonly is_signed: boolean
}

/** An annotated tag object. */
export interface TagObject {
  readonly id: ObjectId
  readonly name: string
  readonly target: ObjectId
  readonly target_type: string
  /** Absent in some very old tags. */
  readonly tagger: Signature | undefined
  /** Without the signature block and the final line end. */
  readonly message: string
  readonly signature: string | undefined
}

interface Parsed {
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

function parse(data: Buffer): Parsed {
  const end = data.indexOf('\n\n')
  const head = end < 0 ? data : data.subarray(0, end)
  const declared = head.includes('\nencoding ') ? /^encoding (.+)$/m.exec(head.toString('latin1'))?.[1] : undefined
  const headers = new Map<string, string[]>()
  const text = decodeText(head, declared)
  for (let start = 0, stop: number; start < text.length; start = stop + 1) {
    stop = text.indexOf('\n', start)
    if (stop < 0) stop = text.length
    // A line that begins with a space continues the header before it (signatures); signed-object.ts reads those.
    const space = text.indexOf(' ', start)
    if (space <= start || space > stop) continue
    const key = text.slice(start, space)
    const value = text.slice(space + 1, stop)
    const values = headers.get(key)
    if (values) values.push(value)
    else headers.set(key, [value])
  }
  return { headers, body: end < 0 ? '' : decodeText(data.subarray(end + 2), declared) }
}

/** Parses the contents of a commit object. */
export function parseCommit(id: ObjectId, data: Buffer): Commit {
  const { headers, body } = parse(data)
  return {
    id,
    tree_id: headers.get('tree')?.[0] ?? '',
    parent_ids: headers.get('parent') ?? [],
    author: parseSignature(headers.get('author')?.[0] ?? ''),
    committer: parseSignature(headers.get('committer')?.[0] ?? ''),
    message: body,
    title: titleOf(body),
    is_signed: headers.has('gpgsig'),
  }
}

/** Parses the contents of a tag object. */
export function parseTag(id: ObjectId, data: Buffer): TagObject {
  const { headers, body } = parse(data)
  const start = body.search(/^-----BEGIN (?:PGP|SSH|SIGNED) /m)
  const tagger = headers.get('tagger')?.[0]
  return {
    id,
    name: headers.get('tag')?.[0] ?? '',
    target: headers.get('object')?.[0] ?? '',
    target_type: headers.get('type')?.[0] ?? '',
    tagger: tagger === undefined ? undefined : parseSignature(tagger),
    message: (start < 0 ? body : body.slice(0, start)).replace(/\n$/, ''),
    signature: start < 0 ? undefined : body.slice(start),
  }
}

/** The first line of a message that is not blank. */
export function titleOf(message: string): string {
  return message.trimStart().split('\n', 1)[0]!.trimEnd()
}

/** The `Key: value` lines of a message's last paragraph; a key that is repeated keeps its last value, as the API shows it. */
export function trailersOf(message: string): Record<string, string> {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/)
  const lines = paragraphs.length > 1 ? paragraphs.at(-1)!.split('\n') : []
  const trailers: Record<string, string> = {}
  let last: string | undefined
  for (const line of lines) {
    const match = /^([A-Za-z0-9-]+)\s*:(.*)$/s.exec(line)
    if (match) {
      last = match[1]!
      trailers[last] = match[2]!.trim()
    } else if (last !== undefined && /^\s/.test(line)) {
      trailers[last] = `${trailers[last]} ${line.trim()}`
    } else {
      // One line that is neither makes the paragraph ordinary text.
      return {}
    }
  }
  return trailers
}

/** `Name <email> 1622541600 +0200` as name, address and date. What is broken in very old commits comes out empty or at the epoch. */
export function parseSignature(line: string): Signature {
  const match = /^([^<]*?) ?<([^>]*)>(?: (-?\d+)(?: ([+-]\d{2})(\d{2}))?)?/.exec(line)
  if (match === null) return { name: line, email: '', date: isoWithOffset(0, '+00', '00') }
  const [, name = '', email = '', seconds = '0', hours = '+00', minutes = '00'] = match
  return { name, email, date: isoWithOffset(Number(seconds), hours, minutes) }
}

/** Epoch seconds shown in a zone, with three decimals as the API does. */
function isoWithOffset(seconds: number, hours: string, minutes: string): string {
  // A zone that no clock has: what reads the date could not.
  if (Math.abs(Number(hours)) > 23 || Number(minutes) > 59) return isoWithOffset(seconds, '+00', '00')
  const offset = Math.sign(Number(`${hours[0]}1`)) * (Math.abs(Number(hours)) * 60 + Number(minutes))
  const local = new Date((seconds + offset * 60) * 1000)
  if (Number.isNaN(local.getTime())) return '1970-01-01T00:00:00.000+00:00'
  return `${local.toISOString().slice(0, -1)}${hours}:${minutes}`
}

/** The date of a signature without its fraction, in its own zone: `2021-06-01T12:00:00+02:00`. */
export const inWholeSeconds = ({ date }: Pick<Signature, 'date'>): string => date.replace(/\.\d+/, '')

/** A person about to be written into a commit or tag. `date` as in `Signature`; without it, the time of the operation in UTC. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly date?: string
}

/** `Name <email> seconds +0000`. `invalid` if nothing usable is left of the name or the address. */
export function formatPerson({ name, email, date }: Person, now: Date): string {
  const zone = /([+-]\d{2}):?(\d{2})$/.exec(date ?? '')
  const moment = date === undefined ? now : new Date(date)
  if (Number.isNaN(moment.getTime())) throw new GitError('invalid', 'Not a date')
  return `${usable(name)} <${usable(email)}> ${Math.floor(moment.getTime() / 1000)} ${zone ? zone[1]! + zone[2]! : '+0000'}`
}

function usable(text: string): string {
  // The characters that delimit the parts of the line, and what git itself strips from the ends.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const clean = text.replace(/[<>\u0000-\u001f]/g, '').replace(/^[\s.,:;"'\\]+/, '')
  // Looked for from the end: a pattern takes as many steps as the square of the length.
  let end = clean.length
  while (end > 0 && /[\s,:;"'\\]/.test(clean[end - 1] as string)) end -= 1
  if (end === 0) throw new GitError('invalid', 'A name and an address are needed to write a commit')
  return clean.slice(0, end)
}

/** Who and what a commit says, apart from its tree and parents. */
export interface CommitText {
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly now: Date
}

/** The contents of a commit object. */
export function formatCommit(tree: ObjectId, parents: readonly ObjectId[], { author, committer, message, now }: CommitText): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${formatPerson(author, now)}`,
    `committer ${formatPerson(committer, now)}`,
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${withoutNul(message)}`)
}

/** The contents of an annotated tag object. */
export function formatTag(tag: {
  readonly name: string
  readonly target: ObjectId
  readonly targetType: string
  readonly tagger: Person
  readonly message: string
  readonly now: Date
}): Buffer {
  const message = withoutNul(tag.message)
  return Buffer.from(
    `object ${tag.target}\ntype ${tag.targetType}\ntag ${tag.name}\ntagger ${formatPerson(tag.tagger, tag.now)}\n\n` +
      `${message}${message.endsWith('\n') || message === '' ? '' : '\n'}`,
  )
}

function withoutNul(message: string): string {
  if (message.includes('\0')) throw new GitError('invalid', 'A message cannot hold a NUL character')
  return message
}
