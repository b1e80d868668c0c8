/** What people choose from for a board and its lists, by their ids. */
import { usersById } from '../../identity/users/queries.ts'
import { iterationsMatching } from '../../planning/iterations/queries.ts'
import { labelsIn } from '../../planning/labels/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import type { InBoards } from './scope.ts'

type Choices = NonNullable<FieldSpec['choices']>
type Caller = Context & InBoards

/** Choices of each kind that are listed. */
const MOST = 500

const ANY = ['', 'Any'] as const

/** The labels that can be used in the place. */
export const labelsToChoose = async ({ db, actor, place }: Caller) =>
  labelsIn(db, actor, place, {}).orderBy('labels.name').orderBy('labels.id').limit(MOST).execute()

/** The open milestones of the place and the groups above it; `chosen` is among them. */
export async function milestoneIds({ db, place }: Caller, chosen: number | null, none: readonly [string, string] = ANY): Promise<Choices> {
  const rows = await milestonesMatching(db, place, { include_parent_milestones: true })
    .where(({ or, eb }) => or([eb('milestones.state', '=', 'active'), eb('milestones.id', '=', chosen)]))
    .limit(MOST)
    .execute()
  return [none, ...rows.map(({ id, title }) => [String(id), title] as const)]
}

/** The members of the place; `chosen` is among them. */
export async function memberIds({ db, members }: Caller, chosen: number | null, none: readonly [string, string] = ANY): Promise<Choices> {
  const [rows, people] = await Promise.all([
    allMembersOf(db, members).limit(MOST).execute(),
    usersById(db, chosen === null ? [] : [chosen]),
  ])
  const all = new Map([...people.values(), ...rows].map(person => [person.id, person]))
  return [none, ...[...all.values()].map(({ id, name, username }) => [String(id), `${name} (@${username})`] as const)]
}

/** The iterations of the place and the groups above it that are not over. */
export async function iterationIds({ db, now, place }: Caller, none: readonly [string, string]): Promise<Choices> {
  const today = now.toISOString().slice(0, 10)
  const rows = await iterationsMatching(db, place, { state: 'opened', include_ancestors: true }, today).limit(MOST).execute()
  return [none, ...rows.map(({ id, title, start_date, due_date }) => [String(id), `${title} (${start_date} to ${due_date})`] as const)]
}
