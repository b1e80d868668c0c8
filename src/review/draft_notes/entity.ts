/** A draft note as JSON (draft notes API). */
import Type from 'typebox'
import { Position } from '../../collaboration/notes/position.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Nullable } from '../../platform/kernel/types.ts'
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
    id: Type.Integer(),
    author_id: Type.Integer(),
    merge_request_id: Type.Integer(),
    resolve_discussion: Type.Boolean(),
    discussion_id: Nullable(Type.String()),
    note: Type.String(),
    commit_id: Nullable(Type.String()),
    position: Type.Object({ ...places, base_sha: Sha, start_sha: Sha, head_sha: Sha }),
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
