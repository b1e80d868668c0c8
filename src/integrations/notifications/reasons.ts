/** Why a person gets a notification. Pure. */
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import type { Words } from '../../platform/mail/words/words.ts'
import type { ChosenEvents, CustomEvent, Level } from '../../spaces/notification_settings/levels.ts'
import { isOn } from '../../spaces/notification_settings/levels.ts'

/** The reasons, the strongest first; also the values of the header `X-GitLab-NotificationReason`. */
export const reasons = ['mentioned', 'review_requested', 'assigned', 'author', 'participating', 'subscribed', 'watching'] as const
export type Reason = (typeof reasons)[number]

/** Reasons that come from what a person has to do with an item. */
export type Standing = Exclude<Reason, 'subscribed' | 'watching'>

const strongest = reasons.filter((reason): reason is Standing => reason !== 'subscribed' && reason !== 'watching')

/** Who is looked for: all for whom there is a reason, or those to whom it is said by name. */
export type Audience =
  | 'everyone'
  /** Not those who watch the place. */
  | 'participants'
  /** The people named by the event alone. */
  | 'named'
  /** All members of the place. */
  | 'members'

/** What happened, as far as it decides who gets mail. */
export interface Occasion {
  readonly audience: Audience
  /** The events of the level `custom` that it is. */
  readonly events: readonly CustomEvent[]
  /** It is about the people themselves whom it names: they hear of it whatever their levels. */
  readonly always?: boolean
}

/** A person who may get mail. */
export interface Candidate {
  /** What they have to do with it. */
  readonly standings: readonly Standing[]
  /** They are among the people whom the event names. */
  readonly isNamed: boolean
  /** Their choice for the item; undefined for none. */
  readonly subscribed: boolean | undefined
  /** They subscribed to a label that was added. */
  readonly byLabel: boolean
  readonly isMember: boolean
  /** The level that holds in the place: never that of the level above. */
  readonly level: Level
  readonly events: ChosenEvents
}

/** About these there is mail for those who take part, and for the level `custom`, not for all who watch. */
const notWatched: ReadonlySet<CustomEvent> = new Set([
  'push_to_merge_request',
  'issue_due',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
])

/** About these there is mail for those alone who chose them. */
const byChoiceAlone: ReadonlySet<CustomEvent> = new Set(['success_pipeline'])

/** Events that those who take part can take out of the level `custom`. */
const canBeTakenOut: ReadonlySet<CustomEvent> = new Set(['failed_pipeline', 'fixed_pipeline', 'moved_project'])

/** The strongest reason for a mail to this person; undefined for none. */
export function reasonFor(person: Candidate, { audience, events, always }: Occasion): Reason | undefined {
  if (always) return person.isNamed ? 'participating' : undefined
  const { standings, level, subscribed, byLabel } = person
  if (subscribed === false) return undefined
  if (audience === 'members') return person.isMember && takesNews(person, events) ? 'watching' : undefined
  if (audience === 'named' && !person.isNamed) return byLabel ? 'subscribed' : undefined
  const standing = strongest.find(reason => standings.includes(reason) && reaches(reason, person, events))
  if (standing) return standing
  if (subscribed || byLabel) return 'subscribed'
  if (audience === 'named') return undefined
  if (level === 'custom') return events.some(event => person.events[event] === true) ? 'watching' : undefined
  return level === 'watch' && audience === 'everyone' && !events.some(event => notWatched.has(event)) ? 'watching' : undefined
}

/** Does the level let through what one has to do with oneself? */
function reaches(reason: Standing, { level, events: chosen }: Candidate, events: readonly CustomEvent[]): boolean {
  if (level === 'disabled') return false
  if (level === 'mention') return reason === 'mentioned'
  if (events.some(event => byChoiceAlone.has(event))) return level === 'custom' && events.some(event => isOn(chosen, event))
  if (level === 'custom' && events.some(event => canBeTakenOut.has(event))) return events.some(event => isOn(chosen, event))
  return true
}

/** Does the level let through news of the place itself? */
const takesNews = ({ level, events: chosen }: Candidate, events: readonly CustomEvent[]): boolean =>
  level === 'custom' ? events.some(event => isOn(chosen, event)) : level !== 'disabled'

/** The reason in a sentence. */
export function reasonInWords({ say }: Words, reason: Reason, what: Noun, ofLabel = false): string {
  if (reason === 'subscribed' && ofLabel) return say('reason.subscribed_label')
  return reason === 'mentioned' || reason === 'watching' ? say(`reason.${reason}`) : say(`reason.${reason}`, { what })
}
