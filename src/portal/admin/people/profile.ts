/** What an account says of its owner, and who they are elsewhere, as administrators change it: to take away what does not belong there. */
import { removeIdentity, updateUser } from '../../../identity/users/endpoints.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import { inIdentity, inUserById } from '../../../identity/users/scope.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pictureNow } from '../../settings_pages/picture.ts'
import { adminPlace } from '../place.ts'
import { administered } from '../scope.ts'
import { LIST } from './users.ts'

interface OfUser {
  readonly user: UserRow
}

const inOne = administered(inUserById)

const back = ({ user }: OfUser): string => `${LIST}/${user.username}`

const fields: readonly FieldSpec[] = [
  { name: 'bio', hint: '' },
  { name: 'job_title', hint: '' },
  { name: 'organization', hint: '' },
  { name: 'location', hint: '' },
  { name: 'pronouns', hint: '' },
  { name: 'website_url', label: 'Website', hint: '' },
  { name: 'linkedin', label: 'LinkedIn', hint: '' },
  { name: 'twitter', label: 'Twitter', hint: '' },
  { name: 'skype', label: 'Skype', hint: '' },
  { name: 'public_email', label: 'Public email address', hint: 'Everyone sees it on the profile.' },
  { name: 'private_profile', label: 'Private profile', hint: 'Their activity is shown to themselves and administrators alone.' },
]

const profile = form<OfUser>({
  path: `${LIST}/:id/profile`,
  summary: 'Change the profile of an account',
  scope: inOne,
  of: updateUser,
  only: fields.map(({ name }) => name),
  fields: () => fields,
  values: ({ user }) => ({ ...user }),
  empty: 'sent',
  next: back,
  cancel: back,
  notice: 'The profile was changed.',
  confirms: true,
  before: ctx => pictureNow(ctx, ctx.user, `${LIST}/${ctx.user.id}/picture/delete`),
  button: 'Save profile',
  frame: ctx => ({ title: `Profile of ${ctx.user.name}`, place: adminPlace('users', ctx) }),
})
export const showUserProfile = profile.show
export const submitUserProfile = profile.submit

export const removeUserPicture = action<OfUser>({
  route: `POST ${LIST}/:id/picture/delete`,
  of: updateUser,
  scope: inOne,
  instead: { params: {}, adapt: async () => ({ avatar: null }) },
  next: back,
  notice: 'The picture was removed.',
  confirms: true,
})

const identity = form<OfUser>({
  path: `${LIST}/:id/identities/new`,
  summary: 'Link an account with one elsewhere',
  scope: inOne,
  of: updateUser,
  only: ['provider', 'extern_uid'],
  fields: () => [
    { name: 'provider', label: 'Provider', required: true, autofocus: true, hint: 'As the file of providers names it, or `ldapmain`.' },
    {
      name: 'extern_uid',
      label: 'ID there',
      required: true,
      hint: 'What the provider calls them: a number, a name, or a `dn` of the directory.',
    },
  ],
  // What is empty would change nothing, and say that it had.
  empty: 'left_out',
  next: back,
  cancel: back,
  notice: 'The accounts are linked.',
  confirms: true,
  button: 'Link the accounts',
  frame: ctx => ({ title: `Link the account of ${ctx.user.name}`, place: adminPlace('users', ctx) }),
})
export const showNewIdentity = identity.show
export const submitIdentity = identity.submit

export const removeIdentityOfUser = action<OfUser>({
  route: `POST ${LIST}/:id/identities/:provider/delete`,
  of: removeIdentity,
  scope: administered(inIdentity),
  next: back,
  notice: 'The accounts are no longer linked.',
  confirms: true,
})

/** Accounts elsewhere that the page shows. */
const MOST = 50

/** The accounts elsewhere by which the user signs in. Those of a group are the group's. */
export async function identitiesView(ctx: Context, user: UserRow): Promise<Html> {
  const found = await ctx.db
    .selectFrom('identities')
    .select(['provider', 'extern_uid'])
    .where('user_id', '=', user.id)
    .where('saml_provider_id', 'is', null)
    .orderBy('provider')
    .limit(MOST)
    .execute()
  const rows = found.map(
    ({ provider, extern_uid }) =>
      html`<li>${icon('link')}<div class="main"><div class="title">${provider}</div><div class="facts"><span class="break">${extern_uid}</span></div></div>${actionButton(ctx, { to: `${LIST}/${user.id}/identities/${encodeURIComponent(provider)}/delete`, face: 'Unlink', label: `Unlink ${provider}`, look: 'danger', asks: `Unlink the account at ${provider}? ${user.name} does not sign in by it any more.` })}</li>`,
  )
  return html`<section class="section"><div class="heading"><h2>Accounts elsewhere</h2><a class="btn btn-sm" href="${LIST}/${user.id}/identities/new">Link an account</a></div>${rows.length > 0 ? html`<ul class="list">${rows}</ul>` : html`<p class="muted">None: ${user.name} signs in with a password.</p>`}</section>`
}
