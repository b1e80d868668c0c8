/** Parses CI files: short ones on the calling thread, long ones in a worker thread with a time limit. Recent results are cached. */
import { createHash } from 'node:crypto'
import { runInThread, WorkTooLarge } from '../../../platform/threads/threaded_work.ts'
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
 */
export async function readYaml(text: string, name: string): Promise<YamlMap> {
  if (Buffer.byteLength(text) > limits.fileBytes) throw new ConfigRefused(`${name} is larger than ${limits.fileBytes} bytes`)
  const digest = createHash('sha256').update(text).digest('base64')
  const before = known.get(digest)
  if (before) return before.file
  const file = text.length <= limits.parseInline ? parseYaml(text, name) : await inThread({ text, name })
  keep(digest, file, text.length)
  return file
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

/** Long files are parsed one at a time: more would compete for the processors. */
let last: Promise<unknown> = Promise.resolve()

function inThread(asked: Asked): Promise<YamlMap> {
  const turn = last.then(async () => {
    try {
      const found = await runInThread<Answered>(new URL('./thread.ts', import.meta.url), asked, { memory: 512, time: limits.readTime })
      if ('file' in found) return found.file
      throw new ConfigRefused(found.refused)
    } catch (error) {
      throw error instanceof WorkTooLarge ? new ConfigRefused(`${asked.name} is too complex to be read`) : error
    }
  })
  last = turn.catch(() => undefined)
  return turn
}
