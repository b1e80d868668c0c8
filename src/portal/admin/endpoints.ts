/** The first pages of the administration: the state of the instance. */

import { queueState } from '../../platform/events/queue_state.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { apiVersion, version } from '../../platform/system/version.ts'
import { figuresOf } from './instance/figures.ts'
import { figureCharts } from './instance/figures_view.ts'
import { healthOf, MOST_COUNTED } from './instance/health.ts'
import { healthList, mailFact } from './instance/health_view.ts'
import { adminPlace } from './place.ts'
import { queueNotice } from './queue/view.ts'
import { inAdministration } from './scope.ts'

export const showOverview = pageEndpoint({
  route: 'GET /admin',
  summary: 'Show the state of the instance',
  scope: inAdministration,
  can: 'admin_instance',
  async run(ctx) {
    const [health, tasks, figures] = await Promise.all([healthOf(ctx.db, ctx.deps.config), queueState(ctx.db), figuresOf(ctx.db, ctx.now)])
    const { users, groups, projects } = health.counts
    const links = [
      ['/admin/users', 'account', users],
      ['/admin/groups', 'group', groups],
      ['/admin/projects', 'project', projects],
    ] as const
    return page(ctx, {
      title: 'Administration',
      place: adminPlace('overview', ctx),
      body: html`${queueNotice(tasks, ctx.now, true)}<div class="columns"><section><h2>The instance</h2>${healthList(health, { Ingot: version, 'API level': apiVersion(ctx.tier), Mail: mailFact(ctx) })}</section>
<aside aria-label="What there is"><h2>What there is</h2><ul class="plain-list">${links.map(([href, noun, number]) => html`<li><a href="${href}">${number >= MOST_COUNTED ? `${MOST_COUNTED} or more` : number} ${number === 1 ? noun : `${noun}s`}</a></li>`)}</ul></aside></div>
<section class="section"><h2>The last four weeks</h2>${figureCharts(figures)}</section>`,
    })
  },
})

export const showSystemInfo = pageEndpoint({
  route: 'GET /admin/system_info',
  summary: 'Show versions, memory and disk',
  scope: inAdministration,
  can: 'admin_instance',
  async run(ctx) {
    const health = await healthOf(ctx.db, ctx.deps.config)
    const versions = { Ingot: version, 'API level': apiVersion(ctx.tier), Node: process.version, Edition: ctx.tier, Mail: mailFact(ctx) }
    return page(ctx, { title: 'System', place: adminPlace('system', ctx), body: healthList(health, versions) })
  },
})
