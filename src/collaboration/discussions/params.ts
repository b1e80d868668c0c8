/** The parameters of a position in a diff (discussions API at 14.0). */
import Type from 'typebox'
import { described, integer, Nullable, number, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'

const Sha = (description: string) => text(description, { maxLength: 64 })
// Clients send null for parts that a position does not have.
const Line = (side: string) => optional(Nullable(integer(`Number of the line ${side} the change`, { minimum: 1 })))
const Path = (description: string) => optional(Nullable(text(description, { maxLength: 4096 })))
const End = Type.Optional(
  Type.Object({
    line_code: optional(Nullable(text('ID of the line in the difference', { maxLength: 255 }))),
    type: optional(Nullable(text('`new` or `old`: the side of the difference', { maxLength: 16 }))),
    old_line: Line('before'),
    new_line: Line('after'),
  }),
)

export const positionParam = Type.Optional(
  Type.Object(
    {
      base_sha: Sha('Where source and target part'),
      start_sha: Sha('The tip of the target branch when the version was made'),
      head_sha: Sha('The tip of the source branch'),
      position_type: OneOf(['text', 'image', 'file'], { description: 'Kind of position' }),
      old_path: Path('The file before the change'),
      new_path: Path('The file after the change'),
      old_line: Line('before'),
      new_line: Line('after'),
      line_range: optional(
        Nullable(
          described('Lines that the note spans', Type.Object({ start: described('First line', End), end: described('Last line', End) })),
        ),
      ),
      width: optional(Nullable(integer('Width of the image in pixels'))),
      height: optional(Nullable(integer('Height of the image in pixels'))),
      x: optional(Nullable(number('Horizontal place on the image'))),
      y: optional(Nullable(number('Vertical place on the image'))),
      side: optional(OneOf(['old', 'new'], { description: 'The image before or after the change', default: 'new' })),
    },
    { description: 'A position in the diff of a version' },
  ),
)
