/** The page on which people sign in with the provider of their group. */
import { goTo } from '../../identity/providers/endpoints.ts'
import { startOf } from '../../identity/providers/pages.ts'
import type { Provider } from '../../identity/providers/provider.ts'
import { groupProviderNamed } from '../../identity/saml/group_providers.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { samlProviderOf } from '../../spaces/group_saml/queries.ts'
import { groupPages } from '../../spaces/groups/pages/scope.ts'
import { groupBeforeSignOn } from '../../spaces/groups/queries.ts'
import { signOnPage } from '../../spaces/groups/sign_on.ts'

const pathOf = (groupPath: string, name: string) => `${signOnPage(groupPath)}?${new URLSearchParams({ token: name })}`

/** The address that people are given: by what only they know it opens the page to people who are not members yet. */
export const signOnAddress = ({ url }: Pick<Context, 'url'>, group: { readonly full_path: string }, { name }: { readonly name: string }) =>
  `${url}${pathOf(group.full_path, name)}`

/** `:group_path` becomes the provider of a group that the actor may see, or whose token they have; or 404. */
const inSignOn = within(inInstance, {
  name: 'inSignOn',
  path: { group_path: text('Full path of a group') },
  async load(ctx, { group_path }): Promise<{ provider: Provider; groupPath: string }> {
    const { db, actor, request } = ctx
    const token = new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('token')
    const group = await groupBeforeSignOn(db, actor, group_path)
    const name = group ? (await samlProviderOf(db, group.id))?.name : (token ?? undefined)
    const provider = name === undefined ? undefined : await groupProviderNamed(db, name)
    const groupPath = provider?.ofGroup?.path
    if (!provider || groupPath?.toLowerCase() !== group_path.toLowerCase()) throw notFound('Group')
    return { provider, groupPath: groupPath as string }
  },
})

const params = {
  token: optional(text('What opens the page to people who are not members yet', { maxLength: 255 })),
  redirect: optional(text('Path of this server to go to afterwards', { maxLength: 65_536 })),
}

export const showSignOn = pageEndpoint({
  route: 'GET /groups/:group_path/-/saml/sso',
  summary: 'Show the sign-in with the provider of a group',
  dialect: groupPages,
  scope: inSignOn,
  can: 'read_instance',
  params,
  run(ctx) {
    const { actor, provider, groupPath } = ctx
    const back = localPath(ctx.params.redirect, `/${groupPath}`)
    const here = pathOf(groupPath, provider.name)
    const says = actor.user
      ? html`<p>The people of the group <strong>${groupPath}</strong> sign in to it with the account of their company. That account is linked to yours here, <strong>${actor.user.username}</strong>, and you are a member of the group.</p>`
      : html`<p>The people of the group <strong>${groupPath}</strong> sign in with the account of their company.</p>`
    const other =
      !actor.user &&
      html`<p class="muted">You have an account here that the group has not made? <a href="/users/sign_in?${new URLSearchParams({ redirect: here }).toString()}">Sign in to it</a> first.</p>`
    return page(ctx, {
      title: 'Sign in to the group',
      width: 'narrow',
      body: html`${says}<form method="post" action="${actor.user ? here : startOf(provider)}" data-turbo="false">${csrfField(ctx)}<input type="hidden" name="redirect" value="${back}"><button class="btn btn-primary btn-block">Sign in with the company account</button></form>${other}`,
    })
  },
})

export const beginSignOn = formEndpoint({
  route: 'POST /groups/:group_path/-/saml/sso',
  summary: 'Go to the provider of a group to sign in with it',
  dialect: groupPages,
  scope: inSignOn,
  can: 'read_instance',
  writes: 'own',
  params,
  run(ctx) {
    const { actor, provider, groupPath } = ctx
    const back = localPath(ctx.params.redirect, `/${groupPath}`)
    return goTo(ctx, provider, { userId: actor.user?.id, returnTo: back }, async refused => done(ctx, '/', refused))
  },
})
