import Type from 'typebox'
import type { DiffEntry } from '../../platform/git/diffs/diff-entry.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'

export const diffSchema = Type.Object({
  old_path: Type.String(),
  new_path: Type.String(),
  a_mode: Type.String(),
  b_mode: Type.String(),
  new_file: Type.Boolean(),
  renamed_file: Type.Boolean(),
  deleted_file: Type.Boolean(),
  diff: Type.String(),
})

/** A changed file embedded in other responses. */
export const presentDiff = ({ too_large: _tooLarge, collapsed: _collapsed, ...entry }: DiffEntry) => ({ ...entry })

/** A changed file (commits API, "diff"). */
export const Diff = entity({ name: 'Diff', schema: diffSchema, present: (row: DiffEntry) => presentDiff(row) })
