/** What the instance says of itself. */
import Type from 'typebox'
import { plain } from '../kernel/answer/entity.ts'
import { Nullable } from '../kernel/types.ts'

/** `GET /version`. */
export const Version = plain('Version', Type.Object({ version: Type.String(), revision: Type.String() }))

/** `GET /metadata`. */
export const Metadata = plain(
  'Metadata',
  Type.Object({
    version: Type.String(),
    revision: Type.String(),
    kas: Type.Object({ enabled: Type.Boolean(), externalUrl: Nullable(Type.String()), version: Nullable(Type.String()) }),
    enterprise: Type.Boolean(),
  }),
)

/** `GET /-/liveness`. */
export const Liveness = plain('Liveness', Type.Object({ status: Type.Literal('ok') }))

/** `GET /-/readiness` of an instance that is ready; one that is not refuses with the same fields. */
export const Readiness = plain(
  'Readiness',
  Type.Object({ status: Type.Literal('ok'), db_check: Type.Array(Type.Object({ status: Type.Literal('ok') })) }),
)
