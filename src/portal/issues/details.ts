/** What the page of an issue shows a part of: who spent time on it when, and all who take part. */
import { participantsOf } from '../../collaboration/notes/items/participants.ts'
import { formatDuration } from '../../collaboration/time_tracking/durations.ts'
import { timeByPerson, timelogsOf } from '../../collaboration/time_tracking/queries.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { usersById } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { time } from '../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { type InIssue, ISSUE, inIssuePage, issuePath } from './scope.ts'

const frame = ({ actor, project, issue }: Context & InIssue, title: string) => ({
  title: `${title}: #${issue.iid} ${issue.title}`,
  place: projectPlace(actor, project, 'issues'),
})

const backLink = (ctx: InIssue): Html => html`<p><a href="${issuePath(ctx)}">Back to #${ctx.issue.iid}</a></p>`

const spent = (seconds: number): string => formatDuration(seconds) ?? '0h'

/** People of the sums; those with the most time. */
const MOST_PEOPLE = 50

export const showTimes = pageEndpoint({
  route: `GET ${ISSUE}/times`,
  summary: 'Show who spent time on an issue, and when',
  scope: inIssuePage,
  can: 'read_issue',
  params: listParams,
  async run(ctx) {
    const { db, issue } = ctx
    const key = { issue_id: issue.id }
    const found = await listPage(ctx, timelogsOf(db, key), ctx.params)
    const sums = await timeByPerson(db, key, MOST_PEOPLE)
    const people = await usersById(db, [...new Set([...found.rows, ...sums].flatMap(({ user_id }) => user_id ?? []))])
    const person = (id: number | null): Html => {
      const row = id === null ? undefined : people.get(id)
      if (!row) return html`<span class="muted">A deleted account</span>`
      const { name, username, avatar_url } = presentSummary(row, ctx)
      return html`<span class="row">${avatar({ name, avatar_url }, 20)}<a class="quiet" href="/${username}">${name}</a></span>`
    }
    const { time_estimate, total_time_spent } = issue
    const body =
      found.rows.length === 0
        ? empty({
            icon: 'clock',
            title: 'No time was spent',
            says: 'Time that is added to the issue appears here, with who spent it and when.',
          })
        : html`<p>${spent(total_time_spent)} spent${time_estimate > 0 && html` of ${spent(time_estimate)} estimated`}.</p>
<section class="section"><h2>By person</h2>${dataTable({
            label: 'Time by person',
            rows: sums,
            columns: [
              { title: 'Person', cell: ({ user_id }) => person(user_id) },
              { title: 'Time', cell: ({ seconds }) => spent(seconds) },
            ],
          })}</section>
<section class="section"><h2>By day</h2>${dataTable({
            label: 'Time by day',
            rows: found.rows,
            columns: [
              { title: 'When', cell: ({ spent_at }) => time(spent_at) },
              { title: 'Person', cell: ({ user_id }) => person(user_id) },
              { title: 'Time', cell: ({ time_spent }) => spent(time_spent) },
              { title: 'What was done', cell: ({ summary }) => summary ?? '' },
            ],
          })}${found.links}</section>`
    return page(ctx, { ...frame(ctx, 'Time spent'), body: html`${backLink(ctx)}${body}` })
  },
})

export const showParticipants = pageEndpoint({
  route: `GET ${ISSUE}/participants`,
  summary: 'Show all who take part in an issue',
  scope: inIssuePage,
  can: 'read_issue',
  params: listParams,
  async run(ctx) {
    const found = await listPage(ctx, participantsOf(ctx.db, ctx.actor, ctx.noteable), ctx.params)
    const people = found.rows.map(row => presentSummary(row, ctx))
    return page(ctx, {
      ...frame(ctx, 'Participants'),
      body: html`${backLink(ctx)}<ul class="list" data-list>${people.map(person => html`<li>${avatar(person, 32)}<div class="main"><div class="title"><a href="/${person.username}">${person.name}</a></div><div class="facts">@${person.username}</div></div></li>`)}</ul>${found.links}`,
    })
  },
})
