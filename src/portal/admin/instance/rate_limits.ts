/** The rate limits that are in force, and whom they refuse just now. */
import { usersById } from '../../../identity/users/queries.ts'
import type { RefusedCaller } from '../../../platform/kernel/request/counts/refused_callers.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

const limits = {
  anonymous: { label: 'Requests without credentials', per: 'of one address' },
  authenticated: { label: 'Requests with credentials', per: 'of one user' },
  signIn: { label: 'Sign-ins and checks of passwords', per: 'of one address' },
} as const

export const showRateLimits = pageEndpoint({
  route: 'GET /admin/rate_limits',
  summary: 'Show the rate limits and whom they refuse',
  scope: inAdministration,
  can: 'admin_instance',
  async run(ctx) {
    const { config, limiter } = ctx.deps
    const refused = await limiter.refused(ctx.now)
    const people = await usersById(
      ctx.db,
      refused.flatMap(({ caller }) => personOf(caller) ?? []),
    )
    const callerView = ({ caller }: RefusedCaller): Html => {
      const person = people.get(personOf(caller) ?? 0)
      return person
        ? html`<a href="/admin/users/${person.username}">@${person.username}</a>`
        : html`<span class="mono break">${caller.replace(/^ip:/, '')}</span>`
    }
    const set = config.rateLimit
    return page(ctx, {
      title: 'Rate limits',
      place: adminPlace('rate_limits', ctx),
      body: html`${
        set
          ? dataTable({
              label: 'Limits',
              rows: Object.entries(limits),
              columns: [
                { title: 'What is counted', cell: ([, { label }]) => label },
                { title: 'A minute', cell: ([name]) => set[name as keyof typeof limits] },
                { title: 'For requests', cell: ([, { per }]) => per },
              ],
            })
          : html`<div class="notice attention" role="status">${icon('alert')}<span>Requests are not counted: the limits are off.</span></div>`
      }
<p class="muted small">The setting <code>INGOT_RATE_LIMIT</code> says them. Requests that do much work count for several.</p>
<section class="section"><h2>Refused just now</h2>${
        refused.length > 0
          ? dataTable({
              label: 'Refused just now',
              rows: refused,
              columns: [
                { title: 'Who', cell: callerView },
                { title: 'What', cell: ({ limit }) => limits[limit].label },
                { title: 'Until', cell: ({ until }) => time(new Date(until)) },
              ],
            })
          : html`<p class="muted">Nobody, as far as this process knows.</p>`
      }</section>`,
    })
  },
})

/** The id of the user whom requests count for; undefined for an address and for other credentials. */
const personOf = (caller: string): number | undefined => (caller.startsWith('user:') ? Number(caller.slice('user:'.length)) : undefined)
