/** Parses CI files: short ones on the calling thread, long ones in a worker thread with a time limit, one at a time for a caller. Recent results are cached. */
import { createHash } from 'node:crypto'
import { ThreadedWork, WorkTooLarge } from '../../../platform/threads/threaded_work.ts'
import { limits } from '../limits.ts'
import { ConfigRefused, type YamlMap } from './values.ts'
import { parseYaml } from './yaml.ts'

export interface Asked {
  readonly text: string
  readonly name: string
}

/** What the worker thread posts: plain data, since class instances cannot be posted. */
export type Answered = { readonly file: YamlMap } | { readonly refused: string }

/** Recent results by digest: the same files come with every push. */
const known = new Map<string, { readonly file: YamlMap; readonly size: number }>()
let kept = 0
/** Maximum characters of cached files. */
const KEPT = 4 * 1024 * 1024

/**
 * The contents of a CI file.
 * @param name the name of the file in messages
 * @throws ConfigRefused
 * @throws Refusal 429 or 503 where too many long files wait to be read
 */
export async function readYaml(text: string, name: string): Promise<YamlMap> {
  if (Buffer.byteLength(text) > limits.fileBytes) throw new ConfigRefused(`${name} is larger than ${limits.fileBytes} bytes`)
  const digest = createHash('sha256').update(text).digest('base64')
  const before = known.get(digest)
  if (before) return before.file
  if (text.length <= limits.parseInline) {
    const file = parseYaml(text, name)
    keep(digest, file, text.length)
    return file
  }
  // The message has the name of the file.
  const mistake = mistakes.get(`${digest} ${name}`)
  if (mistake !== undefined) throw new ConfigRefused(mistake)
  const found = await inThread({ text, name })
  if ('refused' in found) {
    keepMistake(`${digest} ${name}`, found.refused)
    throw new ConfigRefused(found.refused)
  }
  keep(digest, found.file, text.length)
  return found.file
}

/** What was wrong with recent long files, by their digests and names: to read such a file again takes as long. */
const mistakes = new Map<string, string>()
/** Messages that are kept; each has a bounded length. */
const MISTAKES = 200

function keepMistake(key: string, message: string): void {
  mistakes.set(key, message)
  const [oldest] = mistakes.keys()
  if (mistakes.size > MISTAKES && oldest !== undefined) mistakes.delete(oldest)
}

function keep(digest: string, file: YamlMap, size: number): void {
  if (known.has(digest)) return
  known.set(digest, { file, size })
  kept += size
  for (const [oldest, { size: freed }] of known) {
    if (kept <= KEPT) break
    known.delete(oldest)
    kept -= freed
  }
}

/** Parses on the calling thread. */
export function answer({ text, name }: Asked): Answered {
  try {
    return { file: parseYaml(text, name) }
  } catch (error) {
    if (error instanceof ConfigRefused) return { refused: error.message }
    throw error
  }
}

const threads = new ThreadedWork<Asked, Answered>(new URL('./thread.ts', import.meta.url), 512)

async function inThread(asked: Asked): Promise<Answered> {
  try {
    return await threads.run(asked, limits.readTime)
  } catch (error) {
    throw error instanceof WorkTooLarge ? new ConfigRefused(`${asked.name} is too complex to be read`) : error
  }
}
