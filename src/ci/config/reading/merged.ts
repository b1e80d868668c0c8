import { mapInSlices } from '../../../platform/kernel/answer/time_slicing.ts'
import { badRequest } from '../../../platform/kernel/errors.ts'
import { ThreadedWork, WorkTooLarge } from '../../../platform/threads/threaded_work.ts'
import { limits } from '../limits.ts'
import { isList, isMap, type YamlMap, type YamlValue } from './values.ts'
import { written } from './written.ts'

/** A part of a configuration, such as one rule, as YAML. */
export const partYaml = (config: YamlMap): string => `---\n${written(config)}`

interface Extent {
  readonly lines: number
  readonly characters: number
}

/** What a value takes as YAML, where it stands at the margin. Shared parts are written each time, and computed once. */
function extentOf(value: YamlValue, known: Map<YamlValue, Extent>): Extent {
  if (typeof value === 'string') return { lines: value.split('\n').length, characters: value.length * (isEscaped(value) ? 10 : 1) + 3 }
  if (!isMap(value) && !isList(value)) return { lines: 1, characters: 6 }
  const before = known.get(value)
  if (before) return before
  let lines = 1
  let characters = 3
  for (const [key, below] of value.entries()) {
    const found = extentOf(below, known)
    const name = isMap(value) ? String(key).length + 3 : 2
    lines += found.lines + 1
    // What stands below is indented.
    characters += name + found.characters + 2 * found.lines
  }
  const extent = { lines, characters }
  known.set(value, extent)
  return extent
}

/** Are there characters in it that are written by their number? */
const isEscaped = (text: string): boolean => /[^\P{C}\n]/u.test(text)

/** About how many characters a configuration has as YAML, with its indentation: a few lines with anchors stand for many, each as deep as one likes. */
export function* writtenSize(config: YamlMap): Generator<undefined, number, void> {
  const known = new Map<YamlValue, Extent>()
  let size = 4
  for (const [key, below] of config) {
    const { lines, characters } = extentOf(below, known)
    size += key.length + 3 + characters + 2 * lines
    yield
  }
  return size
}

const threads = new ThreadedWork<YamlMap, readonly string[]>(new URL('./writing_thread.ts', import.meta.url), 256)

/**
 * A merged configuration as YAML, for the linter to show. Written key by key, in slices: thousands of jobs take a tenth of a second. Keys with much
 * below them are written in a thread.
 * @throws Refusal 429 or 503 where too many are written
 */
export async function yamlOf(config: YamlMap): Promise<string> {
  const known = new Map<YamlValue, Extent>()
  const isLong = (value: YamlValue) => extentOf(value, known).characters > limits.writtenInline
  const short = await mapInSlices(config, ([key, value]) => (isLong(value) ? undefined : written(new Map([[key, value]]))))
  const long = new Map([...config].filter((_, at) => short[at] === undefined))
  const texts = long.size === 0 ? [] : await inThread(long)
  let next = 0
  return `---\n${config.size === 0 ? written(config) : short.map(text => text ?? texts[next++]).join('')}`
}

async function inThread(config: YamlMap): Promise<readonly string[]> {
  try {
    return await threads.run(config, limits.readTime)
  } catch (error) {
    throw error instanceof WorkTooLarge ? badRequest('The merged file is too complex to be shown') : error
  }
}
