/** The head of a push: the commands and what comes with them, read before git sees anything. */

import { isUtf8 } from 'node:buffer'
import { GitError } from '../errors.ts'
import { isObjectId, zeroId } from '../objects/oid.ts'
import type { RefMove } from '../refs/loose-refs.ts'
import { flushPkt, type PktReader, pktLine } from './pkt-line.ts'

/** Most bytes of commands, shallow lines and push options together. */
const headLimit = 16 * 1024 * 1024

/** Most lines of each kind. Each command is judged, recorded and reported on its own. */
const most = { commands: 10_000, shallow: 10_000, pushOptions: 1000 } as const

export interface PushRequest {
  readonly commands: readonly RefMove[]
  /** As the client gave them, in order. */
  readonly capabilities: readonly string[]
  readonly pushOptions: readonly string[]
  /** Where the client's own history is cut: `shallow <id>` lines. */
  readonly shallow: readonly string[]
}

export function hasCapability({ capabilities }: Pick<PushRequest, 'capabilities'>, name: string): boolean {
  return capabilities.includes(name)
}

/** What was sent is not the head of a push. `capabilities`: how the client wants to hear of it, as far as it has said so. */
export class BadPush extends GitError {
  readonly capabilities: readonly string[]

  constructor(message: string, capabilities: readonly string[]) {
    super('invalid', message)
    this.capabilities = capabilities
  }
}

/**
 * Reads the head of a push. Without commands the client has only knocked.
 * @throws BadPush if it is not one, or is too long
 */
export async function readPushRequest(reader: PktReader): Promise<PushRequest> {
  const commands: RefMove[] = []
  const shallow: string[] = []
  const pushOptions: string[] = []
  let capabilities: string[] = []
  const bad = (message: string) => new BadPush(message, capabilities)
  const lines = limitedLines(reader, bad)

  for (let bytes = await lines(); bytes !== undefined; bytes = await lines()) {
    const nul = commands.length === 0 ? bytes.indexOf(0) : -1
    if (nul >= 0)
      capabilities = bytes
        .toString('utf8', nul + 1)
        .trim()
        .split(' ')
        .filter(Boolean)
    const line = textOf(nul >= 0 ? bytes.subarray(0, nul) : bytes, bad)
    if (line.startsWith('shallow ') && commands.length === 0) {
      if (shallow.push(line.slice('shallow '.length)) > most.shallow) throw bad(`A push may have ${most.shallow} shallow lines`)
      continue
    }
    if (commands.push(parseCommand(line, bad)) > most.commands)
      throw bad(`A push may change ${most.commands} references: push them in parts`)
  }
  if (!shallow.every(isObjectId)) throw bad('Not a shallow line')
  // Git reads capabilities up to a second NUL: it would answer another request than the one that was understood here.
  if (capabilities.some(name => name.includes('\0'))) throw bad('Not a push command')
  if (capabilities.some(name => name.startsWith('object-format=') && name !== 'object-format=sha1')) {
    throw bad('The repository has SHA-1 object ids')
  }
  if (commands.length > 0 && capabilities.includes('push-options')) {
    for (let bytes = await lines(); bytes !== undefined; bytes = await lines()) {
      // Git reads an option up to a NUL, and the database stores none.
      if (bytes.includes(0)) throw bad('Not a push option')
      if (pushOptions.push(textOf(bytes, bad)) > most.pushOptions) throw bad(`A push may have ${most.pushOptions} options`)
    }
  }
  return { commands, capabilities, pushOptions, shallow }
}

/** The head again, with some of the commands only: what git is given. */
export function formatPushRequest(request: PushRequest, commands: readonly RefMove[]): Buffer {
  const lines = [
    ...request.shallow.map(id => pktLine(`shallow ${id}`)),
    ...commands.map(({ old, new: target, ref }, index) =>
      pktLine(`${old} ${target} ${ref}${index === 0 ? `\0${request.capabilities.join(' ')}` : ''}`),
    ),
    flushPkt,
  ]
  if (hasCapability(request, 'push-options')) lines.push(...request.pushOptions.map(option => pktLine(option)), flushPkt)
  return Buffer.concat(lines)
}

/** Whether a pack follows the head: not when everything is deleted. */
export function bringsPack(commands: readonly RefMove[]): boolean {
  return commands.some(command => command.new !== zeroId)
}

/** Lines up to the next flush (undefined), counted against the limit. */
function limitedLines(reader: PktReader, bad: (message: string) => BadPush): () => Promise<Buffer | undefined> {
  let bytes = 0
  return async () => {
    const pkt = await reader.next()
    if (pkt === undefined || pkt.type === 'flush') return undefined
    if (pkt.type !== 'data') throw bad('Not a push')
    bytes += pkt.payload.length + 4
    if (bytes > headLimit) throw bad('The push has too many commands')
    return pkt.payload
  }
}

/** A line as text. Other bytes than UTF-8 would be replaced, and the reference would have a name that the client did not send. */
function textOf(line: Buffer, bad: (message: string) => BadPush): string {
  if (!isUtf8(line)) throw bad('The names of references must be in UTF-8')
  return line.toString('utf8').replace(/\n$/, '')
}

function parseCommand(line: string, bad: (message: string) => BadPush): RefMove {
  const [old = '', target = ''] = line.split(' ', 2)
  const ref = line.slice(82)
  if (!isObjectId(old) || !isObjectId(target) || line[81] !== ' ' || ref === '') {
    throw bad(line.startsWith('push-cert') ? 'Signed pushes are not supported' : 'Not a push command')
  }
  return { ref, old, new: target }
}
