/** The page of one's own data: an archive of it is asked for, and downloaded. */

import { inSelf } from '../../identity/users/scope.ts'
import { requestAccountExport } from '../../integrations/account_exports/commands.ts'
import { accountArchiveOf, accountExportOf } from '../../integrations/account_exports/queries.ts'
import { EXPORT_PAGE } from '../../integrations/account_exports/task.ts'
import { archiveAnswer } from '../../integrations/archives/writing/answer.ts'
import { HOURS_KEPT } from '../../integrations/archives/writing/expiry.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { assertConfirmed, isConfirmed } from '../../platform/pages/forms/confirm.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { settingsPlace } from './place.ts'

type Export = NonNullable<Awaited<ReturnType<typeof accountExportOf>>>

const own = { scope: inSelf, can: 'update_own' } as const

export const showAccountExport = pageEndpoint({
  ...own,
  route: `GET ${EXPORT_PAGE}`,
  summary: 'Show the export of one’s own data',
  async run(ctx) {
    const last = await accountExportOf(ctx.db, ctx.user.id)
    return page(ctx, {
      title: 'Your data',
      place: settingsPlace('export'),
      width: 'medium',
      body: html`<p>An archive with what this server knows of you: your account, addresses, keys, tokens (without their secrets), sessions, memberships, issues, merge requests, comments, activity, the files that you uploaded and the audit log about you. It is made in the background; you get a mail when it is ready.</p>
${last && stateView(ctx, last)}
${!isUnderWay(last) && actionButton(ctx, { to: EXPORT_PAGE, face: last ? 'Export again' : 'Export your data', look: 'primary' })}`,
    })
  },
})

const isUnderWay = (last: Export | undefined): boolean => last?.state === 'queued' || last?.state === 'started'

function stateView(ctx: Context, last: Export): Html {
  if (isUnderWay(last))
    return html`<p role="status">Your data is being exported, since ${time(last.created_at)}. Load the page again to see whether it is ready.</p>`
  if (last.finished_at === null) return html`<p role="status">The last export has failed. ${last.error}</p>`
  const way = isConfirmed(ctx)
    ? html`<a class="btn" href="${EXPORT_PAGE}/download" data-turbo="false">Download</a>`
    : actionButton(ctx, { to: `${EXPORT_PAGE}/open`, face: 'Open the download' })
  return html`<section class="section"><h2>The last export</h2><p>Made ${time(last.finished_at)}, ${bytesText(last.size ?? 0)}. It is kept for ${HOURS_KEPT} hours.</p>${way}</section>`
}

export const askForAccountExport = formEndpoint({
  ...own,
  route: `POST ${EXPORT_PAGE}`,
  summary: 'Export one’s own data, in the background',
  confirms: true,
  errors: ['conflict'],
  async run(ctx) {
    await ctx.deps.limiter.often('account_export', ctx.actor, ctx.request.ip)
    await requestAccountExport(ctx, ctx.user)
    return done(ctx, EXPORT_PAGE, 'Your data is being exported.')
  },
})

export const openAccountExport = formEndpoint({
  ...own,
  route: `POST ${EXPORT_PAGE}/open`,
  summary: 'Open the download of one’s own data',
  confirms: true,
  run: async ctx => done(ctx, EXPORT_PAGE, 'The download is open.'),
})

export const downloadAccountExport = endpoint({
  ...own,
  dialect: pages,
  route: `GET ${EXPORT_PAGE}/download`,
  summary: 'Download the archive with one’s own data',
  answers: ranged('application/gzip'),
  errors: ['not_found'],
  async run(ctx) {
    assertConfirmed(ctx)
    await ctx.deps.limiter.often('account_download_export', ctx.actor, ctx.request.ip)
    return archiveAnswer(ctx, await accountArchiveOf(ctx.db, ctx.user.id))
  },
})
