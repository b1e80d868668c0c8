/** A comment on a commit as JSON (commits API at 14.0). */
import Type from 'typebox'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import type { NoteRow } from '../../collaboration/notes/queries.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, type SummaryRow, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'

export const CommitComment = entity({
  name: 'CommitComment',
  schema: Type.Object({
    note: text('Text in Markdown'),
    path: Nullable(text('The file that it is about; null where it is about the whole commit')),
    line: Nullable(integer('The line that it is about; null where it is about the whole commit')),
    line_type: Nullable(text('`new` for an added line, `old` for a removed one; null for unchanged lines and where there is no line')),
    author: described('The user who wrote it', Type.Object(summaryFields)),
    created_at: DateTime('When it was created'),
  }),
  load: ({ db }, rows: readonly NoteRow[]) => usersById(db, idsOf(rows, 'author_id')),
  present: (row: NoteRow, people: Map<number, SummaryRow>, facts) => {
    const { new_path = null, old_path = null, new_line = null, old_line = null } = (row.position ?? {}) as unknown as Partial<Position>
    const isOnBoth = old_line !== null && new_line !== null
    const line = new_line ?? old_line
    return {
      note: row.body,
      path: new_path ?? old_path,
      line,
      line_type: line === null || isOnBoth ? null : new_line === null ? 'old' : 'new',
      author: presentSummary(people.get(row.author_id) as SummaryRow, facts),
      created_at: row.created_at,
    }
  },
})
