/** Reading CI files, whatever they are: short ones at once, long ones in a thread that is given up after a while, and none twice in a row. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import { ConfigRefused, type YamlMap } from './values.ts'
import { parseYaml } from './yaml.ts'

export interface Asked {
  readonly text: string
  readonly name: string
}

/** What the thread answers: a class would not cross. */
export type Answered = { readonly file: YamlMap } | { readonly refused: string }

/** What was read last, by its digest: the same files come with every push. */
const known = new Map<string, { readonly file: YamlMap; readonly size: number }>()
let kept = 0
/** Characters of the files that are kept. */
const KEPT = 4 * 1024 * 1024

/**
 * The contents of a CI file.
 * @param name as messages call the file
 * @throws ConfigRefused
 */
export async function readYaml(text: string, name: string): Promise<YamlMap> {
  if (Buffer.byteLength(text) > limits.fileBytes) throw new ConfigRefused(`${name} is larger than ${limits.fileBytes} bytes`)
  const digest = createHash('sha256').update(text).digest('base64')
  const before = known.get(digest)
  if (before) return before.file
  const file = text.length <= limits.readAtOnce ? parseYaml(text, name) : await inThread({ text, name })
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

/** Does what is asked, in the thread that calls. */
export function answer({ text, name }: Asked): Answered {
  try {
    return { file: parseYaml(text, name) }
  } catch (error) {
    if (error instanceof ConfigRefused) return { refused: error.message }
    throw error
  }
}

/** One long file at a time: there are as few of them as there are processors to read them. */
let last: Promise<unknown> = Promise.resolve()

function inThread(asked: Asked): Promise<YamlMap> {
  const turn = last.then(async () => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: asked,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    try {
      const [found]: Answered[] = await once(worker, 'message', { signal: AbortSignal.timeout(limits.readTime) })
      if (found && 'file' in found) return found.file
      throw new ConfigRefused(found?.refused ?? '')
    } catch (error) {
      const tooMuch = (error as Error).name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw tooMuch ? new ConfigRefused(`${asked.name} is too complex to be read`) : error
    } finally {
      await worker.terminate()
    }
  })
  last = turn.catch(() => undefined)
  return turn
}
