/** Levels of notifications, and the events that the level `custom` chooses among (notification settings API). Pure. */

/** The levels; their position is the number that projects show (`notification_level`). */
export const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const
export type Level = (typeof levels)[number]

/** The number of a level in other answers. */
export const levelNumber = (level: Level): number => levels.indexOf(level)

/** What a setting can be that has none above it. */
export const globalLevels = ['disabled', 'participating', 'watch', 'mention', 'custom'] as const satisfies readonly Level[]

/** The level of people who have chosen none. */
export const USUAL_LEVEL = 'participating' as const satisfies Level

/** The events of the level `custom`. */
export const customEvents = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
  'new_epic',
] as const
export type CustomEvent = (typeof customEvents)[number]

/** Events that are on until they are taken out: those that one gets mail about anyway. */
const usual: ReadonlySet<CustomEvent> = new Set(['failed_pipeline', 'fixed_pipeline', 'moved_project'])

/** Chosen events by their names; what is not in it is as usual. */
export type ChosenEvents = Readonly<Partial<Record<CustomEvent, boolean>>>

/** Is an event on in a setting of the level `custom`? */
export const isOn = (chosen: ChosenEvents, event: CustomEvent): boolean => chosen[event] ?? usual.has(event)

/** All events, as they are answered. */
export const allEvents = (chosen: ChosenEvents): Record<CustomEvent, boolean> =>
  Object.fromEntries(customEvents.map(event => [event, isOn(chosen, event)])) as Record<CustomEvent, boolean>
