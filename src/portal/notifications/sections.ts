/** The sections of pages on which people say what they get mail about: the same everywhere, in a group and in a project. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type CustomEvent, customEvents, isOn, type Level } from '../../spaces/notification_settings/levels.ts'
import type { NotificationSettingRow } from '../../spaces/notification_settings/queries.ts'
import type { FormSection, SettingField } from '../settings_pages/declaration.ts'

/** The levels by their names, and what they mean. */
export const levelChoices = {
  global: ['As above', 'What you chose for the group above, or for everything.'],
  watch: ['Watch', 'All new issues and merge requests, all comments, and what becomes of them.'],
  participating: ['Participate', 'What you take part in: you wrote it, commented, are assigned, asked to review or mentioned.'],
  mention: ['On mention', 'Comments and descriptions that mention you.'],
  custom: ['Custom', 'What you take part in, and the events that you choose below.'],
  disabled: ['Off', 'Only items that you subscribed to.'],
} as const satisfies Readonly<Record<Level, readonly [string, string]>>

/** The choices of a radio field. */
export const choicesOf = (levels: readonly Level[]): NonNullable<FieldSpec['choices']> =>
  (Object.keys(levelChoices) as Level[]).flatMap(level => (levels.includes(level) ? [[level, ...levelChoices[level]] as const] : []))

const eventNames: Readonly<Record<CustomEvent, string>> = {
  new_note: 'New comment',
  new_issue: 'New issue',
  reopen_issue: 'Issue reopened',
  close_issue: 'Issue closed',
  reassign_issue: 'Issue assigned to others',
  issue_due: 'Issue due tomorrow',
  new_merge_request: 'New merge request',
  push_to_merge_request: 'Commits pushed to a merge request',
  reopen_merge_request: 'Merge request reopened',
  close_merge_request: 'Merge request closed',
  reassign_merge_request: 'Merge request assigned to others',
  merge_merge_request: 'Merge request merged',
  failed_pipeline: 'Pipeline failed',
  fixed_pipeline: 'Pipeline fixed',
  success_pipeline: 'Pipeline succeeded',
  moved_project: 'Project moved',
  merge_when_pipeline_succeeds: 'Merge request set to merge when its pipeline succeeds',
  new_epic: 'New epic',
}

/** A page about one setting. */
interface Choosing<S extends object> {
  /** The declaration that changes it. */
  readonly of: Endpoint
  readonly levels: readonly Level[]
  readonly setting: (ctx: Context & S) => Promise<NotificationSettingRow>
  /** What the first section asks for besides the level, with the values. */
  readonly besides?: {
    readonly fields: readonly SettingField<S>[]
    readonly values: (ctx: Context & S) => Promise<Record<string, unknown>>
  }
}

/** The level, and the events of the level `custom` while it is chosen. */
export function settingSections<S extends object>({ of, levels, setting, besides }: Choosing<S>): readonly FormSection<S>[] {
  return [
    {
      key: 'level',
      title: 'What you get mail about',
      of,
      values: async ctx => ({ level: (await setting(ctx)).level, ...(await besides?.values(ctx)) }),
      fields: [{ name: 'level', label: 'Level', control: 'radio', choices: choicesOf(levels), hint: '' }, ...(besides?.fields ?? [])],
    },
    {
      key: 'events',
      title: 'Events',
      says: 'What counts while the level is “Custom”, besides what you take part in.',
      look: 'dense',
      of,
      values: async ctx => {
        const { events } = await setting(ctx)
        return Object.fromEntries(customEvents.map(event => [event, isOn(events, event)]))
      },
      fields: customEvents.map(event => ({ name: event, label: eventNames[event], hint: '' })),
    },
  ]
}
