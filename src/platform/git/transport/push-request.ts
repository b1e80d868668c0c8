/** The head of a push: the commands and what comes with them, read before git sees anything. */

import { GitError } from '../errors.ts'
import { isObjectId, zeroId } from '../objects/oid.ts'
import type { RefMove } from '../refs/loose-refs.ts'
import { flushPkt, type PktReader, pktLine } from './pkt-line.ts'

/** Most bytes of commands, shallow lines and push options together. */
const headLimit = 16 * 1024 * 1024

export interface PushRequest {
  readonly commands: readonly RefMove[]
  /** As the client gave them, in order. */
  readonly capabilities: readonly string[]
  readonly pushOptions: readonly string[]
  /** Where the client's own history is cut: `shallow <id>` lines. */
  readonly shallow: readonly string[]
}

export function hasCapability({ capabilities }: PushRequest, name: string): boolean {
  return capabilities.includes(name)
}

/** Reads the head of a push. Without commands the client has only knocked. `invalid`, `too_large` if it is not one. */
export async function readPushRequest(reader: PktReader): Promise<PushRequest> {
  const commands: RefMove[] = []
  const shallow: string[] = []
  const pushOptions: string[] = []
  let capabilities: string[] = []
  const lines = limitedLines(reader)

  for (let line = await lines(); line !== undefined; line = await lines()) {
    if (line.startsWith('shallow ') && commands.length === 0) {
      shallow.push(line.slice('shallow '.length))
      continue
    }
    const nul = line.indexOf('\0')
    if (nul >= 0 && commands.length === 0)
      capabilities = line
        .slice(nul + 1)
        .split(' ')
        .filter(Boolean)
    commands.push(parseCommand(nul >= 0 ? line.slice(0, nul) : line))
  }
  if (!shallow.every(isObjectId)) throw new GitError('invalid', 'Not a shallow line')
  if (capabilities.some(name => name.startsWith('object-format=') && name !== 'object-format=sha1')) {
    throw new GitError('invalid', 'The repository has SHA-1 object ids')
  }
  if (commands.length > 0 && capabilities.includes('push-options')) {
    for (let line = await lines(); line !== undefined; line = await lines()) pushOptions.push(line)
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
function limitedLines(reader: PktReader): () => Promise<string | undefined> {
  let bytes = 0
  return async () => {
    const pkt = await reader.next()
    if (pkt === undefined || pkt.type === 'flush') return undefined
    if (pkt.type !== 'data') throw new GitError('invalid', 'Not a push')
    bytes += pkt.payload.length + 4
    if (bytes > headLimit) throw new GitError('too_large', 'The push has too many commands')
    return pkt.payload.toString('utf8').replace(/\n$/, '')
  }
}

function parseCommand(line: string): RefMove {
  const [old = '', target = ''] = line.split(' ', 2)
  const ref = line.slice(82)
  if (!isObjectId(old) || !isObjectId(target) || line[81] !== ' ' || ref === '') {
    throw new GitError('invalid', line.startsWith('push-cert') ? 'Signed pushes are not supported' : 'Not a push command')
  }
  return { ref, old, new: target }
}
