/** The status of users (users API of the v4 level 14.0). */
import Type from 'typebox'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { availabilities, durations, setStatus } from './commands.ts'
import { UserStatus } from './entity.ts'
import { statusOf } from './queries.ts'

const lengths = Object.keys(durations) as [keyof typeof durations]

export const getOwnStatus = endpoint({
  route: 'GET /user/status',
  summary: 'Get one’s own status',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(UserStatus),
  run: ({ db, user, now }) => statusOf(db, user.id, now),
})

export const setOwnStatus = endpoint({
  route: 'PUT /user/status',
  summary: 'Set one’s own status; without emoji and message it is cleared',
  scope: inSelf,
  can: 'update_own',
  params: {
    emoji: optional(text('Name of an emoji; `speech_balloon` unless given', { pattern: '^[a-z0-9_+-]{0,100}$' })),
    message: optional(text('Text of the status', { maxLength: 100 })),
    availability: optional(OneOf(availabilities, { description: '`busy` or `not_set`' })),
    clear_status_after: Type.Optional(OneOf(lengths, { description: 'How long it lasts' })),
  },
  answers: one(UserStatus),
  run: ctx => setStatus(ctx, ctx.user.id, ctx.params),
})

export const getUserStatus = endpoint({
  route: 'GET /users/:user_id/status',
  summary: 'Get the status of a user',
  scope: inUser,
  can: 'read_user',
  scopes: ['read_user'],
  answers: one(UserStatus),
  run: ({ db, user, now }) => statusOf(db, user.id, now),
})
