/** Text search as in the public API: by words, in titles and descriptions. */
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../../platform/db/statements/like.ts'

/** Minimum length of words; the trigram indexes cannot find shorter ones. */
const SHORTEST = 3

/**
 * The LIKE patterns of a search, all of which must match: one for each word, and one for each phrase in double quotes. A search
 * without a word of three letters matches only texts that equal it.
 */
export function patternsOf(search: string): string[] {
  const words = [...search.matchAll(/"([^"]*)"|[^\s"]+/g)].map(match => (match[1] ?? match[0]).trim())
  const long = [...new Set(words)].filter(word => word.length >= SHORTEST)
  return long.length > 0 ? long.map(containing) : [containing(search.trim()).slice(1, -1)]
}

/** Does one of the columns contain every word of the search? */
export function matchesText(columns: readonly string[], search: string): RawBuilder<boolean> {
  const patterns = patternsOf(search)
  const inColumn = (column: string) =>
    sql`(${sql.join(
      patterns.map(pattern => sql`${sql.ref(column)} ilike ${pattern}`),
      sql` and `,
    )})`
  return sql<boolean>`(${sql.join(columns.map(inColumn), sql` or `)})`
}
