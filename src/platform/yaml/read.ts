/**
 * Reads YAML that users write. A parser takes some milliseconds for each 10 KB of the worst texts, so that only short ones are parsed where they are asked for;
 * others are parsed in a thread, which is given up when it takes too much time or memory. What comes of a text is bounded.
 */
import { ThreadedWork, WorkTooLarge } from '../threads/threaded_work.ts'
import { type AskedYaml, type ParsedYaml, parseYaml, tooComplex, type WantedYaml } from './parse.ts'

export interface YamlLimits {
  /** Characters of a text that is parsed where it is asked for: five milliseconds at worst. */
  readonly inline: number
  /** Characters of JSON that may come of a text: making values of them takes some milliseconds. */
  readonly most: number
  /** Milliseconds for a long text. */
  readonly time: number
}

const standard: YamlLimits = { inline: 8 * 1024, most: 256 * 1024, time: 5_000 }

/** A text cannot be read; the message says why, to be put after the name of the text. */
export class UnreadableYaml extends Error {
  override name = 'UnreadableYaml'
}

/** Megabytes of a thread: a text of 1 MB takes a fifth of them. */
const MEMORY = 256

const threads = new ThreadedWork<AskedYaml, ParsedYaml>(new URL('./thread.ts', import.meta.url), MEMORY)

/**
 * The map that a text is.
 * @param text of a length that the caller has bounded
 * @throws UnreadableYaml
 * @throws Refusal 429 or 503 where too many long texts wait
 */
export async function readYamlMap(text: string, wanted: WantedYaml, limits = standard): Promise<Readonly<Record<string, unknown>>> {
  const asked: AskedYaml = { ...wanted, text, most: limits.most }
  const parsed = text.length <= limits.inline ? parseYaml(asked) : await inThread(asked, limits)
  if ('refused' in parsed) throw new UnreadableYaml(parsed.refused)
  return JSON.parse(parsed.json) as Record<string, unknown>
}

async function inThread(asked: AskedYaml, { time }: YamlLimits): Promise<ParsedYaml> {
  try {
    return await threads.run(asked, time)
  } catch (error) {
    if (error instanceof WorkTooLarge) return tooComplex
    throw error
  }
}
