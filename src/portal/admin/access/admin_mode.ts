/** The page on which administrators enter admin mode, where the instance has it, and the button that leaves it. */
import { enterAdminMode, inAdminMode, leaveAdminMode } from '../../../identity/sessions/administrators/admin_mode.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { assertConfirmed } from '../../../platform/pages/forms/confirm.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { done, page, redirect } from '../../../platform/pages/frame/document.ts'
import { ADMIN_MODE_PATH } from '../../../platform/pages/frame/frame.ts'
import { localPath } from '../../../platform/pages/frame/local_path.ts'
import { html } from '../../../platform/pages/html.ts'

/** Minutes for which a confirmation, or the sign-in, counts here: less than elsewhere, since what it opens is everything. */
const MINUTES = 5

const back = { redirect: optional(text('Path to go to afterwards', { maxLength: 4096, examples: ['/admin/users'] })) }

export const newAdminMode = pageEndpoint({
  route: `GET ${ADMIN_MODE_PATH}/new`,
  summary: 'Ask an administrator to enter admin mode',
  scope: inAdminMode,
  can: 'use_instance',
  params: back,
  async run(ctx) {
    const to = localPath(ctx.params.redirect, '/admin')
    if (ctx.session.isAdministering) return redirect(to)
    return page(ctx, {
      title: 'Enter admin mode',
      width: 'narrow',
      body: html`<p>You administer this instance. In the browser that counts once you have confirmed that it is you, for six hours or until you leave admin mode.</p>
<form method="post" action="${ADMIN_MODE_PATH}" data-turbo="false">${csrfField(ctx)}<input type="hidden" name="redirect" value="${to}"><button class="btn btn-primary" autofocus>Enter admin mode</button></form>`,
    })
  },
})

export const enterAdministration = formEndpoint({
  route: `POST ${ADMIN_MODE_PATH}`,
  summary: 'Enter admin mode',
  scope: inAdminMode,
  can: 'use_instance',
  params: back,
  confirms: true,
  async run(ctx) {
    assertConfirmed(ctx, MINUTES)
    await enterAdminMode(ctx)
    return done(ctx, localPath(ctx.params.redirect, '/admin'), 'Admin mode is on, for six hours.')
  },
})

export const leaveAdministration = formEndpoint({
  route: `POST ${ADMIN_MODE_PATH}/destroy`,
  summary: 'Leave admin mode',
  scope: inAdminMode,
  can: 'use_instance',
  async run(ctx) {
    await leaveAdminMode(ctx)
    return done(ctx, '/', 'Admin mode is off.')
  },
})
