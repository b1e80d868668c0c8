/** Runs in a thread: long searches (search.ts). */
import { compiledPattern } from './patterns.ts'
import type { AskedSearch } from './search.ts'

export default ({ source, flags, text }: AskedSearch): boolean => compiledPattern(source, flags)?.matcher(text).find() ?? false
