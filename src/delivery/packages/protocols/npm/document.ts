/**
 * What `npm publish` sends: one JSON document, in which the tarball stands in base64. The tarball may have hundreds of megabytes, so it is taken out of
 * the text while that comes.
 */
import { Transform, type TransformCallback } from 'node:stream'
import { parseJson } from '../../../../platform/bounded_json.ts'
import { badRequest } from '../../../../platform/kernel/errors.ts'

/** Bytes that the document may have besides the tarball. */
export const DOCUMENT_LIMIT = 4 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b])
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d])
/** Whitespace, a colon and a comma: between a name and its value. */
const BETWEEN: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x3a])

/** Objects and lists in each other. */
const MOST_DEPTH = 100

/** The objects around `_attachments`' data: the document, `_attachments`, and the attachment. */
const DATA_DEPTH = 3

/** Passes the bytes of the tarball on, and keeps the rest of the document, in which the data is an empty text. */
export class PublishedDocument extends Transform {
  readonly #kept: Buffer[] = []
  #size = 0
  #depth = 0
  #inText = false
  #escaped = false
  /** The text that is read now, and the last one that has ended with nothing but space or a colon after it. */
  #text = ''
  #name: string | undefined
  /** Inside the data, and what is left of its last group of four characters. */
  #inData = false
  #rest = ''

  /** The document without the tarball; once all of it has come. @throws Refusal 400 if it is no JSON object */
  parsed(): Record<string, unknown> {
    let value: unknown
    try {
      value = parseJson(Buffer.concat(this.#kept).toString('utf8'))
    } catch {
      throw badRequest('the body is not valid JSON')
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('the body must be a JSON object')
    return value as Record<string, unknown>
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      for (let at = 0; at < chunk.length; ) at = this.#inData ? this.#takeData(chunk, at) : this.#takeText(chunk, at)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  override _flush(done: TransformCallback): void {
    done(this.#inData ? badRequest('the body ended early') : null)
  }

  /** Data until its closing quote; answers where to go on. */
  #takeData(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(QUOTE, from)
    const text = this.#rest + chunk.toString('latin1', from, end < 0 ? chunk.length : end)
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw badRequest('the attachment is not in base64')
    const whole = end < 0 ? text.length - (text.length % 4) : text.length
    this.#rest = text.slice(whole)
    if (whole > 0) this.push(Buffer.from(text.slice(0, whole), 'base64'))
    if (end < 0) return chunk.length
    this.#inData = false
    this.#keep(Buffer.from('"'))
    return end + 1
  }

  /** The document until the data begins; answers where to go on. */
  #takeText(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !this.#inData) this.#step(chunk[at++] as number)
    this.#keep(chunk.subarray(from, at))
    return at
  }

  #step(byte: number): void {
    if (!this.#inText) {
      if (byte === QUOTE) {
        if (this.#depth === DATA_DEPTH && this.#name === 'data') this.#inData = true
        else this.#inText = true
        this.#text = ''
        this.#name = undefined
      } else if (!BETWEEN.has(byte)) {
        this.#name = undefined
        if (OPENING.has(byte) && ++this.#depth > MOST_DEPTH) throw badRequest('the body is nested too deeply')
        if (CLOSING.has(byte)) this.#depth--
      }
    } else if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) {
      this.#inText = false
      this.#name = this.#text
    } else if (this.#text.length < 10) this.#text += String.fromCharCode(byte)
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > DOCUMENT_LIMIT) throw badRequest('The metadata of the package is too large')
    this.#kept.push(Buffer.from(bytes))
  }
}
