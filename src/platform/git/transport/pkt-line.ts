/**
 * The framing of git's protocols: four hex digits of length (their own four bytes included), then the payload.
 * `0000` is a flush; `0001` (delimiter) and `0002` (end of response) are of protocol v2.
 */
import { GitError } from '../errors.ts'

/** Most bytes of one payload. */
export const maxPayload = 65_516

export const flushPkt = Buffer.from('0000')

/** One payload with its length in front. */
export function pktLine(payload: string | Buffer): Buffer {
  const data = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (data.length > maxPayload) throw new GitError('invalid', 'A pkt-line cannot be that long')
  return Buffer.concat([Buffer.from((data.length + 4).toString(16).padStart(4, '0')), data])
}

/** The same payload for a side band: 1 data, 2 progress, 3 a last error. Long data is cut into several lines. */
export function sideband(band: 1 | 2 | 3, data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; at += maxPayload - 1) {
    lines.push(pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + maxPayload - 1)])))
  }
  return Buffer.concat(lines)
}

export type Pkt = { readonly type: 'data'; readonly payload: Buffer } | { readonly type: 'flush' | 'delimiter' | 'end' }

/** What four hex digits announce: a special packet, or the bytes of payload that follow. `invalid` if it is neither. */
export function readLength(header: Buffer): { readonly special: 'flush' | 'delimiter' | 'end' } | { readonly payload: number } {
  const text = header.toString('latin1')
  const length = /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN
  if (length === 0) return { special: 'flush' }
  if (length === 1) return { special: 'delimiter' }
  if (length === 2) return { special: 'end' }
  if (length >= 4 && length <= maxPayload + 4) return { payload: length - 4 }
  throw new GitError('invalid', 'Not a pkt-line')
}

/** Takes packets out of a buffer. `rest` is what does not make a whole packet yet. */
export function splitPkts(buffer: Buffer): { readonly pkts: Pkt[]; readonly rest: Buffer } {
  const pkts: Pkt[] = []
  let at = 0
  while (buffer.length - at >= 4) {
    const length = readLength(buffer.subarray(at, at + 4))
    if ('special' in length) {
      pkts.push({ type: length.special })
      at += 4
      continue
    }
    const end = at + 4 + length.payload
    if (buffer.length < end) break
    pkts.push({ type: 'data', payload: buffer.subarray(at + 4, end) })
    at = end
  }
  return { pkts, rest: buffer.subarray(at) }
}

/** Reads packets from the head of a byte stream, and hands over what follows them. */
export class PktReader {
  readonly #source: AsyncIterator<Buffer>
  #buffer: Buffer<ArrayBufferLike> = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next packet, or undefined when the stream has ended between packets. `invalid` when it ended within one. */
  async next(): Promise<Pkt | undefined> {
    if (!(await this.#fill(4))) {
      if (this.#buffer.length === 0) return undefined
      throw new GitError('invalid', 'The request ended in the middle of a packet')
    }
    const length = readLength(this.#take(4))
    if ('special' in length) return { type: length.special }
    if (!(await this.#fill(length.payload))) throw new GitError('invalid', 'The request ended in the middle of a packet')
    return { type: 'data', payload: this.#take(length.payload) }
  }

  /** Everything that has not been read, as it arrives. Call it once, after the last `next`. */
  async *rest(): AsyncGenerator<Buffer, void, void> {
    if (this.#buffer.length > 0) yield this.#take(this.#buffer.length)
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done) return
      yield value
    }
  }

  async #fill(bytes: number): Promise<boolean> {
    while (this.#buffer.length < bytes) {
      const { done, value } = await this.#source.next()
      if (done) return false
      this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
    }
    return true
  }

  #take(bytes: number): Buffer {
    const taken = this.#buffer.subarray(0, bytes)
    this.#buffer = this.#buffer.subarray(bytes)
    return taken
  }
}
