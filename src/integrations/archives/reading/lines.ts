/** Files of an archive with one JSON object a line. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { JsonTooComplex, parseJson, standardJsonBounds } from '../../../platform/bounded_json.ts'
import { ArchiveRefused } from './refused.ts'
import { Row } from './row.ts'

/** Most bytes of a line: it is held in memory, and takes several times as much when it is parsed. */
const MOST_BYTES = 24 * 1024 * 1024

/** Most values of a line: each takes some hundred bytes of memory when it is parsed, however short it is. */
const MOST_VALUES = 1_000_000

const NEWLINE = 0x0a

function parsed(line: Buffer, where: string): Row | undefined {
  const text = line.toString('utf8')
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = parseJson(text, { ...standardJsonBounds, values: MOST_VALUES })
  } catch (error) {
    if (error instanceof JsonTooComplex)
      throw new ArchiveRefused(
        `${where} has a line of ${error.what === 'values' ? `more than ${MOST_VALUES} values` : `too many ${error.what}`}`,
        where,
      )
    throw new ArchiveRefused(`${where} is not JSON`, where, { cause: error })
  }
  return Row.of(value, where, line.length)
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** The objects of a file, one a line, read as they are asked for; none where there is no such file. @throws ArchiveRefused */
export async function* readLines(path: string, relation: string, most = MOST_BYTES): AsyncGenerator<Row, void, void> {
  const tooLong = () => new ArchiveRefused(`${relation} has a line of more than ${most} bytes`, relation)
  let held: Buffer[] = []
  let bytes = 0
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length; ) {
        const end = chunk.indexOf(NEWLINE, from)
        const part = chunk.subarray(from, end < 0 ? chunk.length : end)
        bytes += part.length
        if (bytes > most) throw tooLong()
        held.push(part)
        from += part.length + 1
        if (end < 0) break
        const row = parsed(Buffer.concat(held), relation)
        held = []
        bytes = 0
        if (row) yield row
      }
    }
    const rest = parsed(Buffer.concat(held), relation)
    if (rest) yield rest
  } catch (error) {
    if (!isMissing(error)) throw error
  } finally {
    stream.destroy()
  }
}

/** A file with one object; undefined where there is no such file. @throws ArchiveRefused */
export async function readObject(path: string, relation: string): Promise<Row | undefined> {
  const text = await readText(path, relation)
  if (text === undefined) return undefined
  const row = parsed(Buffer.from(text), relation)
  if (!row) throw new ArchiveRefused(`${relation} is not JSON`, relation)
  return row
}

/** A short file; undefined where there is none. @throws ArchiveRefused */
export async function readText(path: string, relation: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MOST_BYTES) throw new ArchiveRefused(`${relation} has more than ${MOST_BYTES} bytes`, relation)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
