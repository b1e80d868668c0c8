/** Runs in a thread: what a file defines. */
import { type FileSymbol, symbolsIn } from './grammar_symbols.ts'
import type { HighlightTask } from './thread.ts'

export default ({ text, language }: HighlightTask): readonly FileSymbol[] => symbolsIn(text, language)
