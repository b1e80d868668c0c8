/** What the instance says of itself. */
import Type from 'typebox'
import { plain } from '../kernel/answer/entity.ts'
import { described, flag, Nullable, text } from '../kernel/declaration/types.ts'

/** `GET /version`. */
export const Version = plain(
  'Version',
  Type.Object({ version: text('Version'), revision: text('Revision of the source; null where unknown') }),
)

/** `GET /api/v4`. */
export const ApiIndex = plain(
  'ApiIndex',
  Type.Object({
    version: text('Version'),
    documentation_url: text('Address of the page that describes the API'),
    description_url: text('Address of the description in the form of OpenAPI'),
  }),
)

/** `GET /metadata`. */
export const Metadata = plain(
  'Metadata',
  Type.Object({
    version: text('Version'),
    revision: text('Revision of the source; null where unknown'),
    kas: described(
      'The agent server',
      Type.Object({
        enabled: flag('Whether it is on'),
        externalUrl: Nullable(text('Address of the agent server for agents; null where there is none')),
        version: Nullable(text('Version of the agent server; null where there is none')),
      }),
    ),
    enterprise: flag('Whether this is the enterprise edition'),
  }),
)

/** `GET /-/liveness`. */
export const Liveness = plain('Liveness', Type.Object({ status: described('`ok`', Type.Literal('ok')) }))

/** `GET /-/readiness` of an instance that is ready; one that is not refuses with the same fields. */
export const Readiness = plain(
  'Readiness',
  Type.Object({
    status: described('`ok`', Type.Literal('ok')),
    db_check: described('State of the database', Type.Array(Type.Object({ status: described('`ok`', Type.Literal('ok')) }))),
  }),
)
