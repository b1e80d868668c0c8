/** The parameters of a position in a diff (discussions API at 14.0). */
import Type from 'typebox'
import { Nullable, OneOf } from '../../platform/kernel/types.ts'

const Sha = (description: string) => Type.String({ maxLength: 64, description })
// Clients send null for parts that a position does not have.
const Line = Type.Optional(Nullable(Type.Integer({ minimum: 1 })))
const Path = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 4096, description })))
const End = Type.Optional(
  Type.Object({
    line_code: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    type: Type.Optional(Nullable(Type.String({ maxLength: 16 }))),
    old_line: Line,
    new_line: Line,
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
      old_line: Line,
      new_line: Line,
      line_range: Type.Optional(Nullable(Type.Object({ start: End, end: End }))),
      width: Type.Optional(Nullable(Type.Integer())),
      height: Type.Optional(Nullable(Type.Integer())),
      x: Type.Optional(Nullable(Type.Number())),
      y: Type.Optional(Nullable(Type.Number())),
    },
    { description: 'A position in the diff of a version' },
  ),
)
