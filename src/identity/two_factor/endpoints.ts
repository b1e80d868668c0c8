/** Second factors of other users (users API; the address came after 14.0 and does not change anything of it). */
import { endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { inUserById } from '../users/scope.ts'
import { disableTwoFactor } from './commands.ts'

export const disableTwoFactorOfUser = endpoint({
  route: 'PATCH /users/:id/disable_two_factor',
  summary: 'Turn two-factor authentication of a user off',
  scope: inUserById,
  can: 'admin_user',
  answers: nothing,
  run: ctx => disableTwoFactor(ctx, ctx.user),
})
