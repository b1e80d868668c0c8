/** What the machine is, for people. Pure. */
import { bytesText, durationText } from '../../../platform/pages/components/numbers.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { Health } from './health.ts'

/** Facts as pairs. */
export const healthList = (health: Health, versions: Readonly<Record<string, string>>): Html => html`<dl class="facts-list">
${Object.entries(versions).map(([name, version]) => html`<dt>${name}</dt><dd>${version}</dd>`)}
<dt>PostgreSQL</dt><dd>${health.postgres}</dd>
<dt>Running for</dt><dd>${durationText(health.uptime)}</dd>
<dt>Memory of this process</dt><dd>${bytesText(health.memory)}</dd>
<dt>Database</dt><dd>${bytesText(health.database)}</dd>
<dt>Disk</dt><dd>${bytesText(health.disk.free)} free of ${bytesText(health.disk.total)}</dd>
</dl>`
