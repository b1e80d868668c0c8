/** The pages on which people turn two-factor authentication on and off. The API at 14.0 has none. */
import Type from 'typebox'
import { addTotp, removeTotp, renewRecoveryCodes, type TurnedOn } from '../../../identity/two_factor/commands.ts'
import { appOf } from '../../../identity/two_factor/queries.ts'
import { recoveryCodesLeft } from '../../../identity/two_factor/recovery_codes.ts'
import { beginTotp, continuedTotp } from '../../../identity/two_factor/totp.ts'
import { credentialsOf } from '../../../identity/two_factor/webauthn/queries.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import { inSelf } from '../../../identity/users/scope.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, nothing, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { integer, text } from '../../../platform/kernel/declaration/types.ts'
import { pages } from '../../../platform/pages/dialect.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { done, page } from '../../../platform/pages/frame/document.ts'
import { settingsPlace } from '../place.ts'
import { leaveRequiringGroup, requiringGroups } from './groups.ts'
import { APP, codesPage, GROUPS, overview, RECOVERY, setupView, TWO_FACTOR } from './view.ts'

export const own = { dialect: pages, scope: inSelf, can: 'add_own_credential', withoutSecondFactor: true } as const

/** Not the codes themselves: the page shows them, once. */
export const Made = entity({
  name: 'RecoveryCodesMade',
  schema: Type.Object({ count: integer('Recovery codes that were made') }),
  present: ({ codes }: TurnedOn) => ({ count: codes.length }),
})

export const showTwoFactor = pageEndpoint({
  route: `GET ${TWO_FACTOR}`,
  summary: 'Show one’s own second factors',
  scope: inSelf,
  can: 'update_own',
  withoutSecondFactor: true,
  async run(ctx) {
    const { user, db } = ctx
    return page(ctx, {
      title: 'Two-factor authentication',
      place: settingsPlace('two_factor'),
      width: 'medium',
      body: overview(ctx, {
        user,
        app: await appOf(db, user.id),
        keys: await credentialsOf(db, user.id),
        codesLeft: await recoveryCodesLeft(db, user.id),
        groups: user.two_factor_enabled ? [] : await requiringGroups(db, user.id),
      }),
    })
  },
})

const addApp = endpoint({
  ...own,
  route: 'POST /user/two_factor/app',
  summary: 'Add an app for codes as a second factor of one’s own',
  params: {
    setup: text('The set-up, encrypted', { maxLength: 1024, examples: ['v1.a.b.c'] }),
    code: text('The code that the app shows now', { maxLength: 20, examples: ['123456'] }),
  },
  answers: one(Made),
  run: ctx => addTotp(ctx, ctx.user, ctx.params),
})

/** The set-up that is shown: that of the form that was refused, or a new one. */
const setupOf = (ctx: Context & { readonly user: UserRow }, sent: unknown) =>
  (typeof sent === 'string' ? continuedTotp(ctx, ctx.user, sent) : undefined) ?? beginTotp(ctx, ctx.user)

const appForm = form({
  path: APP,
  summary: 'Add an app for codes as a second factor of one’s own',
  scope: inSelf,
  of: addApp,
  confirms: true,
  fields: (ctx, sent) => {
    const setup = setupOf(ctx, sent?.setup)
    return [
      { name: 'setup', own: () => setupView(setup) },
      { name: 'code', label: 'Code', hint: 'The six digits that the app shows now.', autocomplete: 'one-time-code', required: true },
    ]
  },
  next: () => TWO_FACTOR,
  notice: 'The app was added.',
  answered: (ctx, { codes }: TurnedOn) => (codes.length > 0 ? codesPage(ctx, codes) : done(ctx, TWO_FACTOR, 'The app was added.')),
  button: 'Turn on',
  cancel: () => TWO_FACTOR,
  frame: () => ({ title: 'Add an app for codes', place: settingsPlace('two_factor'), width: 'medium' }),
})
export const showAppForm = appForm.show
export const submitApp = appForm.submit

const removeApp = endpoint({
  ...own,
  route: 'DELETE /user/two_factor/app',
  summary: 'Remove the app for codes of one’s own',
  answers: nothing,
  run: ctx => removeTotp(ctx, ctx.user),
})

export const submitAppRemoval = action({
  route: `POST ${APP}/remove`,
  of: removeApp,
  scope: inSelf,
  confirms: true,
  next: () => TWO_FACTOR,
  notice: 'The app was removed.',
})

const makeCodes = endpoint({
  ...own,
  route: 'POST /user/two_factor/recovery_codes',
  summary: 'Make new recovery codes for oneself',
  answers: one(Made),
  run: ctx => renewRecoveryCodes(ctx, ctx.user),
})

export const submitRecoveryCodes = action({
  route: `POST ${RECOVERY}`,
  of: makeCodes,
  scope: inSelf,
  confirms: true,
  next: () => TWO_FACTOR,
  notice: 'New recovery codes were made.',
  answered: (ctx, { codes }: TurnedOn) => codesPage(ctx, codes),
})

const leaveGroup = endpoint({
  ...own,
  route: 'DELETE /user/requiring_groups',
  summary: 'Leave a group that requires a second factor',
  params: { group_id: integer('ID of the group', { examples: [1] }) },
  answers: nothing,
  run: ctx => leaveRequiringGroup(ctx, ctx.user.id, ctx.params.group_id),
})

export const submitLeaving = action({
  route: `POST ${GROUPS}/leave`,
  of: leaveGroup,
  scope: inSelf,
  next: () => TWO_FACTOR,
  notice: 'You left the group.',
})
