/** Notification settings as JSON. */
import Type, { type TProperties } from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { flag, OneOf, onTier, text } from '../../platform/kernel/declaration/types.ts'
import { allEvents, type CustomEvent, customEvents, globalLevels, levels } from './levels.ts'
import type { GlobalNotificationSettingRow, NotificationSettingRow } from './queries.ts'

const about: Readonly<Record<CustomEvent, string>> = {
  new_note: 'Comments',
  new_issue: 'New issues',
  reopen_issue: 'Reopened issues',
  close_issue: 'Closed issues',
  reassign_issue: 'Issues with other assignees',
  issue_due: 'Issues that are due tomorrow',
  new_merge_request: 'New merge requests',
  push_to_merge_request: 'Commits pushed to merge requests',
  reopen_merge_request: 'Reopened merge requests',
  close_merge_request: 'Closed merge requests',
  reassign_merge_request: 'Merge requests with other assignees or reviewers',
  merge_merge_request: 'Merged merge requests',
  failed_pipeline: 'Failed pipelines',
  fixed_pipeline: 'Pipelines that succeed after a failed one',
  success_pipeline: 'Successful pipelines',
  moved_project: 'Moved projects',
  merge_when_pipeline_succeeds: 'Merge requests set to merge when their pipeline succeeds',
  new_epic: 'New epics',
}

const of = (event: CustomEvent) => flag(about[event])

/** Each event, as it is answered and taken. */
export const eventFields = {
  ...(Object.fromEntries(customEvents.map(event => [event, of(event)])) as Record<CustomEvent, ReturnType<typeof of>>),
  new_epic: onTier('ultimate', of('new_epic')),
} satisfies TProperties

const shown = ({ level, events }: NotificationSettingRow) => ({ level, ...(level === 'custom' && { events: allEvents(events) }) })

const events = Type.Optional(Type.Object(eventFields, { description: 'Of the level `custom`: what there is mail about' }))

export const globalLevel = OneOf(globalLevels, { description: 'Level of notifications' })
export const placeLevel = OneOf(levels, { description: 'Level of notifications; `global`: as above it' })

/** The setting of a person in a group or project. */
export const NotificationSetting = entity({
  name: 'NotificationSetting',
  schema: Type.Object({ level: placeLevel, events }),
  present: shown,
})

/** The setting that holds where a person has chosen no other. */
export const GlobalNotificationSetting = entity({
  name: 'GlobalNotificationSetting',
  schema: Type.Object({
    level: placeLevel,
    events,
    notification_email: text('The address that mails go to'),
  }),
  present: (row: GlobalNotificationSettingRow) => ({ ...shown(row), notification_email: row.notification_email }),
})
