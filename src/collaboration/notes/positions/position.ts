/** The position of a note in the diff of a merge request (discussions API at 14.0). */
import Type, { type Static } from 'typebox'
import { described, integer, Nullable, number, optional, text } from '../../../platform/kernel/declaration/types.ts'

const Line = Type.Optional(Nullable(Type.Integer()))

/** One end of a range of lines. */
const LineEnd = Type.Object({
  line_code: optional(Nullable(text('ID of the line in the difference; null where it is outside of it'))),
  type: optional(Nullable(text('`new` or `old`: the side of the difference; null where it is on both'))),
  old_line: described('Number of the line before the change; null where it was added', Line),
  new_line: described('Number of the line after the change; null where it was removed', Line),
})

/**
 * A position in the diff of two commits: a line of a text, by its number before or after the change or, if unchanged, by both; a point
 * of an image; or a whole file.
 */
export const Position = Type.Object({
  base_sha: text('ID of the common ancestor of both branches'),
  start_sha: text("ID of the target branch's commit"),
  head_sha: text("ID of the source branch's commit"),
  old_path: Nullable(text('Path before the change; null where the position names none')),
  new_path: Nullable(text('Path after the change; null where the position names none')),
  position_type: text('`text` or `image`'),
  old_line: described('Number of the line before the change; null where it was added', Line),
  new_line: described('Number of the line after the change; null where it was removed', Line),
  line_range: optional(
    Nullable(
      described(
        'Lines that the note spans; null where it is one',
        Type.Object({ start: described('First line', LineEnd), end: described('Last line', LineEnd) }),
      ),
    ),
  ),
  width: optional(Nullable(integer('Width of the image in pixels; null where it is a text position'))),
  height: optional(Nullable(integer('Height of the image in pixels; null where it is a text position'))),
  x: optional(Nullable(number('Horizontal place on the image; null where it is a text position'))),
  y: optional(Nullable(number('Vertical place on the image; null where it is a text position'))),
  side: optional(text('`old` for a place on the image before the change; absent for the one after it')),
})
export type Position = Static<typeof Position>
