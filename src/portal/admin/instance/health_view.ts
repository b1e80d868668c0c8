/** What the machine is, for people. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { bytesText, durationText } from '../../../platform/pages/components/numbers.ts'
import { type Html, type HtmlValue, html } from '../../../platform/pages/html.ts'
import type { Health } from './health.ts'

/** Whether mails are sent. */
export const mailFact = ({ deps: { config } }: Pick<Context, 'deps'>): Html =>
  html`<a href="/-/mails">${config.smtpUrl ? `sent by ${config.smtpUrl.host}` : 'none is sent: INGOT_SMTP_URL is not set'}</a>`

/** Facts as pairs: those that are given, and the state of the machine. */
export const healthList = (health: Health, facts: Readonly<Record<string, HtmlValue>>): Html => html`<dl class="facts-list">
${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
<dt>PostgreSQL</dt><dd>${health.postgres}</dd>
<dt>Running for</dt><dd>${durationText(health.uptime)}</dd>
<dt>Memory of this process</dt><dd>${bytesText(health.memory)}</dd>
<dt>Database</dt><dd>${bytesText(health.database)}</dd>
<dt>Disk</dt><dd>${bytesText(health.disk.free)} free of ${bytesText(health.disk.total)}</dd>
</dl>`
