/** The forms of pipeline schedules: when they run, what of, and with which variables. */
import { maySetVariables } from '../../ci/pipelines/rights/ref_rights.ts'
import { createSchedule, updateSchedule } from '../../ci/schedules/endpoints.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { refNames } from '../run_pipeline/ref_names.ts'
import { checkedRows, rowParams, rowsField } from '../run_pipeline/rows.ts'
import { placeOf } from './endpoints.ts'
import { runsView } from './runs_view.ts'
import { takesOver } from './schedule_view.ts'
import { type InProject, type InSchedule, inSchedulePage, SCHEDULE, SCHEDULES, schedulePath, schedulesPath } from './scope.ts'
import { zoneField } from './zone_field.ts'

/** Lines that are offered, and what they are called. */
const presets = [
  ['0 * * * *', 'Every hour'],
  ['0 4 * * *', 'Every day at 4:00'],
  ['0 4 * * 1-5', 'From Monday to Friday at 4:00'],
  ['0 4 * * 0', 'Every Sunday at 4:00'],
  ['0 4 1 * *', 'On the first day of each month at 4:00'],
] as const

const CUSTOM = 'custom'

const intervalOf = (cron: string): string => presets.find(([line]) => line === cron)?.[0] ?? CUSTOM

/** What the forms ask for in place of a cron line. */
const timing = {
  interval: OneOf([CUSTOM, ...presets.map(([line]) => line)], { description: 'When it runs', examples: ['0 4 * * *'] }),
  cron: optional(text('Cron line', { maxLength: 255 })),
  preview: optional(flag('Shows when it would run, and saves nothing')),
}

/** The parameters of the declaration. @throws Refusal 400 to show the form again, with the next runs */
function withLine({ interval, cron, preview, ...params }: Values): Record<string, unknown> {
  if (preview === true) throw invalid({})
  const line = interval === CUSTOM ? String(cron ?? '').trim() : interval
  if (line === '') throw invalid({ cron: ['must be given'] })
  return { ...params, cron: line }
}

/** The line and zone that the form has now. */
function typedTiming(values: Values): { readonly cron: string; readonly cron_timezone: string } {
  const { interval = CUSTOM, cron = '', cron_timezone = 'UTC' } = values
  return { cron: String(interval === CUSTOM ? cron : interval), cron_timezone: String(cron_timezone) }
}

/** What a new schedule begins with. */
const initial = { interval: '0 4 * * *', cron: '0 4 * * *', cron_timezone: 'UTC', active: true } as const

async function fieldsFor(ctx: Context & InProject, values: Values): Promise<readonly FieldSpec[]> {
  const { project, now } = ctx
  return [
    { name: 'description', label: 'What it is for', hint: '', placeholder: 'Nightly build', autofocus: true },
    {
      name: 'ref',
      label: 'Branch or tag',
      hint: 'Its CI file says which jobs run: those whose rules take the source `schedule`.',
      suggested: await refNames(ctx, project),
    },
    {
      name: 'interval',
      label: 'When',
      hint: '',
      control: 'radio',
      choices: [...presets, [CUSTOM, 'Custom: a cron line']],
    },
    {
      name: 'cron',
      label: 'Cron line',
      hint: 'Minute, hour, day of the month, month, day of the week: `30 6 * * 1-5` is 6:30 from Monday to Friday. It counts where “Custom” is chosen.',
    },
    zoneField(typedTiming(values).cron_timezone),
    {
      name: 'preview',
      own: () =>
        html`<next-runs class="field" data-from="${schedulesPath(project, '/next_runs')}"><p class="label">Next runs</p><turbo-frame id="next-runs" aria-live="polite">${runsView(typedTiming(values), now)}</turbo-frame></next-runs>`,
    },
  ]
}

const active: FieldSpec = { name: 'active', label: 'Active', hint: 'An inactive schedule runs only when someone starts it.' }

const frame = (title: string) => (ctx: Context & InProject) => ({
  title,
  place: placeOf(ctx),
  scripts: ['variable_rows.js', 'next_runs.js'],
})

const second = () => ({ label: 'Preview the next runs', name: 'preview', value: 'true' })

const creation = form<InProject>({
  path: `${SCHEDULES}/new`,
  summary: 'Create a pipeline schedule',
  scope: inProjectPage,
  of: createSchedule,
  instead: {
    of: ['cron', 'variables'],
    params: { ...timing, ...rowParams },
    async adapt(_ctx, { variables, ...params }) {
      const rows = checkedRows(variables)
      return { ...withLine(params), ...(rows.length > 0 && { variables: rows }) }
    },
  },
  fields: async (ctx, sent = initial) => [
    ...(await fieldsFor(ctx, sent)),
    ...(maySetVariables(ctx, ctx.project)
      ? [rowsField('Its pipelines get them. They are stronger than those of the project, and of the CI file.')]
      : []),
    active,
  ],
  values: ({ project }) => ({ ...initial, ref: project.default_branch ?? '' }),
  before: () => html`<p class="muted">Its pipelines run with your rights.</p>`,
  next: ({ project }, made: { readonly id: number }) => schedulePath(project, made),
  cancel: ({ project }) => schedulesPath(project),
  notice: 'The schedule was made.',
  button: 'Create schedule',
  second,
  frame: frame('New pipeline schedule'),
})

const change = form<InSchedule>({
  path: `${SCHEDULE}/edit`,
  summary: 'Change a pipeline schedule, and become its owner',
  scope: inSchedulePage as never,
  of: updateSchedule,
  instead: { of: ['cron'], params: timing, adapt: async (_ctx, params) => withLine(params) },
  fields: async (ctx, sent = valuesOf(ctx)) => [...(await fieldsFor(ctx, sent)), active],
  values: ctx => valuesOf(ctx),
  before: ({ isOwn }) =>
    isOwn
      ? undefined
      : html`<div class="notice attention">${icon('alert')}<span>It runs with the rights of another user now. ${takesOver}</span></div>`,
  next: ({ project, schedule }) => schedulePath(project, schedule),
  cancel: ({ project, schedule }) => schedulePath(project, schedule),
  notice: 'The schedule was changed.',
  button: 'Save',
  second,
  frame: frame('Edit the pipeline schedule'),
})

function valuesOf({ schedule }: InSchedule): Values {
  const { description, ref, cron, cron_timezone, active } = schedule
  return { description, ref: ref.replace(/^refs\/heads\//, ''), interval: intervalOf(cron), cron, cron_timezone, active }
}

export const scheduleForms = {
  showCreation: creation.show,
  create: creation.submit,
  showChange: change.show,
  change: change.submit,
}
