/** Additional email addresses: one's own, and for administrators those of other users (users API of the v4 level 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { emailAdded } from '../account_mails/texts.ts'
import { requireConfirmation } from '../email_confirmations/links.ts'
import { changePrimaryEmail } from '../email_confirmations/primary.ts'
import { located } from '../places/places.ts'
import { CurrentUser } from '../users/entity.ts'
import { forgetEmail } from '../users/preferences/own_addresses.ts'
import type { UserRow } from '../users/queries.ts'
import { inSelf, inUser } from '../users/scope.ts'
import { addEmail, removeEmail } from './commands.ts'
import { type EmailRow, emailOf, emailsOf } from './queries.ts'

export const Email = entity({
  name: 'Email',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    email: text('The address'),
    confirmed_at: Nullable(DateTime('When the address was confirmed; null until then')),
  }),
  present: ({ id, email, confirmed_at }: EmailRow) => ({ id, email, confirmed_at }),
})

/** `:email_id` becomes an address of the user of the outer scope, or 404. */
const inEmailOf = <S extends { readonly user: { readonly id: number } }>(outer: Scope<S>, name: string) =>
  within(outer, {
    name,
    path: { email_id: integer('ID of an additional email address') },
    async load({ db, user }, { email_id }) {
      const email = await emailOf(db, user.id, email_id)
      if (!email) throw notFound('Email')
      return { email }
    },
  })

const inOwnEmail = inEmailOf(inSelf, 'inOwnEmail')
const inUserEmail = inEmailOf(inUser, 'inUserEmail')

const address = text('The address', { minLength: 3, maxLength: 254, examples: ['ida.work@example.com'] })

/** An address that is not taken as confirmed gets a link. */
async function add(ctx: Context & { readonly user: UserRow; readonly params: { email: string } }, confirmed: boolean): Promise<EmailRow> {
  const added = await addEmail(ctx, ctx.user.id, ctx.params.email, confirmed)
  const from = await located(ctx.deps, ctx.request.ip)
  await mailOwner(ctx, ctx.user, emailAdded({ username: ctx.user.username, email: added.email, from }))
  if (!confirmed) await requireConfirmation(ctx, { user: ctx.user, email: added.email, as: 'additional' })
  return added
}

export const listOwnEmails = endpoint({
  route: 'GET /user/emails',
  summary: 'List one’s own additional email addresses',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: pageOf(Email),
  run: ({ db, user }) => emailsOf(db, user.id),
})

export const getOwnEmail = endpoint({
  route: 'GET /user/emails/:email_id',
  summary: 'Get one of one’s own additional email addresses',
  scope: inOwnEmail,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(Email),
  run: ({ email }) => email,
})

export const addOwnEmail = endpoint({
  route: 'POST /user/emails',
  summary: 'Add an email address to one’s own',
  scope: inSelf,
  can: 'add_own_credential',
  params: { email: address },
  answers: one(Email),
  errors: ['conflict'],
  run: ctx => add(ctx, false),
})

/** An address that is removed is none that the account shows, or writes into commits. */
async function remove(ctx: Context & { readonly email: EmailRow }): Promise<void> {
  await removeEmail(ctx, ctx.email)
  await forgetEmail(ctx, ctx.email.user_id, ctx.email.email)
}

export const removeOwnEmail = endpoint({
  route: 'DELETE /user/emails/:email_id',
  summary: 'Delete one of one’s own additional email addresses',
  scope: inOwnEmail,
  can: 'update_own',
  answers: nothing,
  run: remove,
})

export const listUserEmails = endpoint({
  route: 'GET /users/:user_id/emails',
  summary: 'List the additional email addresses of a user',
  scope: inUser,
  can: 'admin_user',
  answers: pageOf(Email),
  run: ({ db, user }) => emailsOf(db, user.id),
})

export const addUserEmail = endpoint({
  route: 'POST /users/:user_id/emails',
  summary: 'Add an email address to those of a user',
  scope: inUser,
  can: 'add_credential_for_user',
  params: { email: address, skip_confirmation: optional(flag('Take the address as confirmed; otherwise a mail with a link goes to it')) },
  errors: ['conflict'],
  answers: one(Email),
  run: ctx => add(ctx, ctx.params.skip_confirmation ?? false),
})

export const removeUserEmail = endpoint({
  route: 'DELETE /users/:user_id/emails/:email_id',
  summary: 'Delete an additional email address of a user',
  scope: inUserEmail,
  can: 'admin_user',
  answers: nothing,
  run: remove,
})

// The API at 14.0 has no address for this; the pages need one.
export const changeEmail = endpoint({
  route: 'PUT /user/email',
  summary: 'Change one’s own primary email address',
  scope: inSelf,
  can: 'change_own_email',
  params: {
    email: text(
      'The address: it takes effect when it is confirmed by the link that is sent to it; the present one ends an earlier request',
      {
        minLength: 3,
        maxLength: 254,
        examples: ['ida.new@example.com'],
      },
    ),
  },
  answers: one(CurrentUser),
  run: ctx => changePrimaryEmail(ctx, ctx.user, ctx.params.email),
})
