/** What a file defines, for the menu on its page. */
import { ImmutableCache } from '../../../platform/git/index.ts'
import type { FileSymbol } from './grammar_symbols.ts'
import { inThread, LONG, MOST_CHARACTERS } from './highlight.ts'
import { languageOf } from './language.ts'

const symbolThread = new URL('./symbols_thread.ts', import.meta.url)

const cache = new ImmutableCache<readonly FileSymbol[] | undefined>(200)

/** What is shown of a file's symbols. */
export interface FileSymbols {
  readonly symbols: readonly FileSymbol[]
  /** There are more. */
  readonly isCut: boolean
}

/**
 * The symbols of a text, where the name of its file says a language that has them and the bounds of highlighting are kept; none otherwise.
 * @param id that of the blob: what it is keeps them
 */
export async function symbolsOf(id: string, path: string, text: string): Promise<FileSymbols> {
  const language = languageOf(path)
  // The grammars are loaded when a file is first shown.
  const { hasSymbols, MOST_SYMBOLS } = await import('./grammar_symbols.ts')
  if (language === undefined || !hasSymbols(language) || text.length > MOST_CHARACTERS) return { symbols: [], isCut: false }
  const question = `${id} ${language}`
  const known = cache.known(question)
  const asked = cache.get(question, () => inThread<readonly FileSymbol[]>({ text, language }, symbolThread)).catch(() => undefined)
  // Those of a long text are shown on the next visit, once they are found.
  const symbols = known || text.length <= LONG ? ((await asked) ?? []) : []
  return { symbols, isCut: symbols.length === MOST_SYMBOLS }
}
