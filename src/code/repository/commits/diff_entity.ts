import Type from 'typebox'
import type { DiffEntry } from '../../../platform/git/index.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { flag, text } from '../../../platform/kernel/declaration/types.ts'

export const diffSchema = Type.Object({
  old_path: text('Path before the change'),
  new_path: text('Path after the change'),
  a_mode: text('File mode before, octal; `0` where the file is new'),
  b_mode: text('File mode after, octal; `0` where the file is deleted'),
  new_file: flag('Whether the file is new'),
  renamed_file: flag('Whether the file is renamed'),
  deleted_file: flag('Whether the file is deleted'),
  diff: text('The difference in unified format'),
})

/** A changed file embedded in other responses. */
export const presentDiff = ({ too_large: _tooLarge, collapsed: _collapsed, ...entry }: DiffEntry) => ({ ...entry })

/** A changed file (commits API, "diff"). */
export const Diff = entity({ name: 'Diff', schema: diffSchema, present: (row: DiffEntry) => presentDiff(row) })
