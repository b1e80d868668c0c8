/** The deploy freezes of a project: when a variable of its jobs holds deployments back. */
import { zoneOf } from '../../ci/cron/time_zones.ts'
import * as api from '../../delivery/freeze_periods/endpoints.ts'
import { phaseOf } from '../../delivery/freeze_periods/frozen.ts'
import type { FreezePeriodRow } from '../../delivery/freeze_periods/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { time, zonedTime } from '../../platform/pages/components/time.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { cronView } from '../pipeline_schedules/runs_view.ts'
import { zoneField } from '../pipeline_schedules/zone_field.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'
import { FREEZES } from './notice.ts'

type Period = Pick<FreezePeriodRow, 'id' | 'freeze_start' | 'freeze_end' | 'cron_timezone'>

/** Whether it holds now, and until when, or when it begins. */
function phaseView(period: Period, now: Date): Html {
  const { isFrozen, until } = phaseOf(period, now)
  const zone = zoneOf(period.cron_timezone) ?? 'UTC'
  if (!until) return html`<span>it never begins</span>`
  return html`<span>${isFrozen ? 'until' : 'next:'} ${zonedTime(until, zone)}, ${time(until)}</span>`
}

const lines = ['0 23 * * 5', '0 7 * * 1', '0 18 * * *', '0 6 * * *']

const fields = (zone: string): readonly FieldSpec[] => [
  {
    name: 'freeze_start',
    label: 'Begins',
    hint: 'A cron line: minute, hour, day of the month, month, day of the week. `0 23 * * 5` is Friday at 23:00.',
    suggested: lines,
    autofocus: true,
  },
  { name: 'freeze_end', label: 'Ends', hint: 'A cron line: `0 7 * * 1` is Monday at 7:00.', suggested: lines },
  zoneField(zone, 'Of both.'),
]

const RULE = '- if: $CI_DEPLOY_FREEZE == null'

export const freezePeriodPages = thingPages<InEither, Period>({
  home: projectHome,
  path: FREEZES,
  key: 'freeze_periods',
  live: 'freeze_periods',
  title: 'Deploy freezes',
  icon: 'stopwatch',
  purpose: 'A freeze is a time in which nothing should be deployed: weekends, or the days before a fair.',
  list: api.listFreezePeriods,
  before: () =>
    html`<div class="field"><p class="muted">During a freeze jobs have the variable <code>CI_DEPLOY_FREEZE</code>. It stops nothing by itself: the rules of a job in the CI file hold it back, by the line below.</p>${copyField('the rule', RULE)}</div>`,
  row(period, { now }) {
    const { freeze_start, freeze_end, cron_timezone } = period
    return html`<div class="title">From: ${cronView(freeze_start)} ${phaseOf(period, now).isFrozen && chip('Frozen now', 'accent', 'stopwatch')}</div><div class="title">To: ${cronView(freeze_end)}</div><div class="facts"><span>${cron_timezone}</span>${phaseView(period, now)}</div>`
  },
  labelOf: ({ freeze_start, freeze_end }) => `${freeze_start} to ${freeze_end}`,
  idOf: ({ id }) => id,
  id: 'freeze_period_id',
  add: {
    of: api.createFreezePeriod,
    title: 'Add a freeze',
    fields: () => fields('UTC'),
    values: () => ({ freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'UTC' }),
    notice: 'The freeze was added.',
  },
  edit: {
    of: api.updateFreezePeriod,
    named: ({ freezePeriod: { freeze_start, freeze_end } }: { readonly freezePeriod: FreezePeriodRow }) =>
      `${freeze_start} to ${freeze_end}`,
    fields: ({ freezePeriod }: { readonly freezePeriod: FreezePeriodRow }) => fields(freezePeriod.cron_timezone),
    values: ({ freezePeriod }: { readonly freezePeriod: FreezePeriodRow }) => ({ ...freezePeriod }),
    notice: 'The freeze was changed.',
  },
  remove: { of: api.removeFreezePeriod, button: 'Delete', notice: 'The freeze was deleted.' },
})
