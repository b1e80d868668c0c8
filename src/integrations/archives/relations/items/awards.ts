/** Reactions. */
import { isEmojiName } from '../../../../collaboration/markdown/document.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { type Import, timesOf } from '../../importing/import.ts'
import type { Row } from '../../reading/row.ts'

type AwardColumn = 'issue_id' | 'merge_request_id' | 'snippet_id' | 'epic_id' | 'note_id'

const nouns = { issue_id: 'Issue', merge_request_id: 'MergeRequest', snippet_id: 'Snippet', epic_id: 'Epic', note_id: 'Note' } as const

/** The reactions to these things as archives write them, by thing. */
export async function exportedAwards(db: Db, column: AwardColumn, ids: readonly number[]): Promise<Map<number, object[]>> {
  const rows = await db.selectFrom('award_emoji').selectAll().where(column, '=', anyOf(ids)).orderBy('id').execute()
  const found = new Map<number, object[]>()
  for (const { id, name, user_id, created_at, updated_at, ...of } of rows) {
    const list = found.get(of[column] as number) ?? []
    found.set(of[column] as number, list)
    list.push({ id, name, user_id, awardable_type: nouns[column], created_at, updated_at })
  }
  return found
}

/** The rows of the reactions to a thing: one of each name and person; those with names that are not known are left out. */
export function awardRows(state: Import, column: AwardColumn, { id, row }: { readonly id: number; readonly row: Row }) {
  const found = new Map<string, ReturnType<typeof rowOf>>()
  const rowOf = (award: Row) => ({
    [column]: id,
    user_id: state.people.idOf(award.maybeId('user_id')),
    name: award.text('name', 255),
    ...timesOf(state, award),
  })
  for (const award of row.rows('award_emoji')) {
    const made = rowOf(award)
    if (isEmojiName(made.name)) found.set(`${made.user_id} ${made.name}`, made)
  }
  return [...found.values()]
}

/** How many thumbs point up and down among rows of reactions. */
export const thumbsIn = (rows: readonly { readonly name: string }[]) => ({
  upvotes: rows.filter(({ name }) => name === 'thumbsup').length,
  downvotes: rows.filter(({ name }) => name === 'thumbsdown').length,
})
