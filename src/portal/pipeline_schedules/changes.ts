/** What is done to pipeline schedules besides their forms: running, owning, switching on and off, deleting; and their variables. */
import * as api from '../../ci/schedules/endpoints.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { adaptOtherValue, kindField, otherValue, otherValueFields, withLineEnds } from '../ci_variables/values.ts'
import { placeOf } from './endpoints.ts'
import { takesOver } from './schedule_view.ts'
import { type InSchedule, type InVariable, inSchedulePage, inScheduleVariablePage, SCHEDULE, schedulePath, schedulesPath } from './scope.ts'

const back = ({ project, schedule }: InSchedule): string => schedulePath(project, schedule)

const one = { scope: inSchedulePage as never, next: back } as const

/** Changes whether it is active, and nothing else. */
const switched = (path: string, active: boolean, notice: string) =>
  action<InSchedule>({
    ...one,
    route: `POST ${SCHEDULE}/${path}`,
    of: api.updateSchedule,
    notice,
    instead: { params: {}, adapt: async () => ({ active }) },
  })

export const scheduleChanges = {
  play: action<InSchedule>({
    ...one,
    route: `POST ${SCHEDULE}/play`,
    of: api.playSchedule,
    notice: 'A pipeline was asked for. It is shown here as soon as it is made.',
  }),
  takeOwnership: action<InSchedule>({
    ...one,
    route: `POST ${SCHEDULE}/take_ownership`,
    of: api.takeOwnershipOfSchedule,
    notice: 'The schedule is yours: its pipelines run with your rights.',
  }),
  activate: switched('activate', true, 'The schedule is active.'),
  deactivate: switched('deactivate', false, 'The schedule is inactive.'),
  remove: action<InSchedule>({
    ...one,
    route: `POST ${SCHEDULE}/delete`,
    of: api.deleteSchedule,
    next: ({ project }) => schedulesPath(project),
    notice: 'The schedule was deleted.',
  }),
}

const shared = {
  next: back,
  cancel: back,
  before: ({ isOwn }: InSchedule): Html | undefined =>
    isOwn ? undefined : html`<div class="notice attention">${icon('alert')}<span>${takesOver}</span></div>`,
}

const frame = (title: string) => (ctx: Context & InSchedule) => ({ title, place: placeOf(ctx) })

const adding = form<InSchedule>({
  ...shared,
  path: `${SCHEDULE}/variables/new`,
  summary: 'Give a pipeline schedule a variable, and become its owner',
  scope: inSchedulePage as never,
  of: api.createScheduleVariable,
  empty: 'sent',
  instead: {
    of: ['value'],
    params: { value: text('Value of the variable', { maxLength: 10_000, examples: ['staging'] }) },
    adapt: async (_ctx, params) => withLineEnds(params),
  },
  fields: () => [
    { name: 'key', label: 'Name', hint: 'Letters, digits and `_`.', autofocus: true },
    { name: 'value', label: 'Value', control: 'textarea', hint: '' },
    kindField,
  ],
  notice: 'The variable was added.',
  button: 'Add variable',
  frame: frame('Add a variable'),
})

const changing = form<InVariable>({
  ...shared,
  path: `${SCHEDULE}/variables/:key/edit`,
  summary: 'Change a variable of a pipeline schedule, and become its owner',
  scope: inScheduleVariablePage as never,
  of: api.updateScheduleVariable,
  instead: { of: ['value'], params: otherValue, adapt: async (_ctx, params) => adaptOtherValue(params) },
  fields: () => [...otherValueFields, kindField],
  values: ({ variable: { variable_type } }) => ({ variable_type }),
  notice: 'The variable was changed.',
  button: 'Save',
  frame: ctx => frame(`Change ${ctx.variable.key}`)(ctx),
})

export const scheduleVariableChanges = {
  showAdd: adding.show,
  add: adding.submit,
  showChange: changing.show,
  change: changing.submit,
  remove: action<InVariable>({
    scope: inScheduleVariablePage as never,
    next: back,
    route: `POST ${SCHEDULE}/variables/:key/delete`,
    of: api.deleteScheduleVariable,
    notice: 'The variable was removed.',
  }),
}
