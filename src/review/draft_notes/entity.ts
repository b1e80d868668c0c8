/** A draft note as JSON (draft notes API). */
import Type from 'typebox'
import { Position } from '../../collaboration/notes/positions/position.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { described, flag, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { DraftRow } from './queries.ts'

/** Contract: a draft without a position in the diff has a position of nulls (draft notes API). */
const nowhere = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
}

const { base_sha: _base, start_sha: _start, head_sha: _head, ...places } = Position.properties
const Sha = Nullable(Type.String())

export const DraftNote = entity({
  name: 'DraftNote',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    author_id: integer('ID of the author'),
    merge_request_id: integer('ID of the merge request'),
    resolve_discussion: flag('Whether publishing the draft resolves its thread'),
    discussion_id: Nullable(text('ID of the thread that it answers; null where it begins one')),
    note: text('Text in Markdown'),
    commit_id: Nullable(text('ID of the commit that the note is on; null where it is on none')),
    position: described(
      'Where the note stands in the difference',
      Type.Object({
        ...places,
        base_sha: described('ID of the common ancestor of both branches; null where the note is on no line', Sha),
        start_sha: described("ID of the target branch's commit; null where the note is on no line", Sha),
        head_sha: described("ID of the source branch's commit; null where the note is on no line", Sha),
      }),
    ),
  }),
  present: (row: DraftRow) => ({
    id: row.id,
    author_id: row.author_id,
    merge_request_id: row.merge_request_id,
    resolve_discussion: row.resolve_discussion,
    discussion_id: row.discussion_id,
    note: row.note,
    commit_id: row.commit_id,
    position: { ...nowhere, ...(row.position as Partial<Position> | null) },
  }),
})
