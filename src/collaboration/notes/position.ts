/** The position of a note in the diff of a merge request (discussions API at 14.0). */
import Type, { type Static } from 'typebox'
import { Nullable } from '../../platform/kernel/types.ts'

const Line = Type.Optional(Nullable(Type.Integer()))

/** One end of a range of lines. */
const LineEnd = Type.Object({
  line_code: Type.Optional(Nullable(Type.String())),
  type: Type.Optional(Nullable(Type.String())),
  old_line: Line,
  new_line: Line,
})

/**
 * A position in the diff of two commits: a line of a text, by its number before or after the change or, if unchanged, by both; a point
 * of an image; or a whole file.
 */
export const Position = Type.Object({
  base_sha: Type.String(),
  start_sha: Type.String(),
  head_sha: Type.String(),
  old_path: Nullable(Type.String()),
  new_path: Nullable(Type.String()),
  position_type: Type.String(),
  old_line: Line,
  new_line: Line,
  line_range: Type.Optional(Nullable(Type.Object({ start: LineEnd, end: LineEnd }))),
  width: Type.Optional(Nullable(Type.Integer())),
  height: Type.Optional(Nullable(Type.Integer())),
  x: Type.Optional(Nullable(Type.Number())),
  y: Type.Optional(Nullable(Type.Number())),
})
export type Position = Static<typeof Position>
