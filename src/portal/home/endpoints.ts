/** The page at `/`: the signed-in user and links to the other pages. */

import { signOutForm } from '../../identity/sessions/pages.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { TOKENS_PAGE } from '../profile/pages.ts'

export const showHome = pageEndpoint({
  route: 'GET /',
  summary: 'Show the home page',
  scope: inInstance,
  can: 'use_instance',
  run: ctx =>
    page(ctx, {
      title: `Hello, ${ctx.actor.user?.name}`,
      body: html`<p>You are signed in as <strong>${ctx.actor.user?.username}</strong>${isAdmin(ctx.actor) && ', an administrator'}.</p>
<ul>
<li><a href="${TOKENS_PAGE}">Personal access tokens</a></li>
<li><a href="/-/docs">API documentation</a></li>
</ul>
${signOutForm(ctx)}`,
    }),
})
