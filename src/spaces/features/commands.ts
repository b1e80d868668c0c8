/** Writes of feature flags. */

import { sql } from 'kysely'
import { userByUsername } from '../../identity/users/queries.ts'
import { actorName, type Gate } from '../../platform/access/feature_flags.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, invalid } from '../../platform/kernel/errors.ts'
import { groups } from '../groups/queries.ts'
import { projects } from '../projects/queries.ts'
import { type FeatureRow, features } from './queries.ts'

/** The value of a flag and its actors; for all actors by default. */
export interface FeatureSetting {
  /** On, off, or a percentage. */
  readonly value: boolean | number
  readonly key?: 'percentage_of_time' | 'percentage_of_actors' | undefined
  readonly feature_group?: string | undefined
  /** One or more usernames. */
  readonly user?: readonly string[] | undefined
  /** One or more full paths of groups. */
  readonly group?: readonly string[] | undefined
  /** One or more full paths of projects. */
  readonly project?: readonly string[] | undefined
}

/** Sets a flag. Unknown users, groups and projects are a 400. */
export async function setFeature(ctx: Context, name: string, setting: FeatureSetting): Promise<FeatureRow> {
  const { db } = ctx
  const actors = await actorsOf(ctx, setting)
  const featureGroups = setting.feature_group ? [setting.feature_group] : []
  // Concurrent updates of the flag must not lose each other's gates.
  await db
    .insertInto('feature_flags')
    .values({ name, gates: '[]' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const stored = await features(db).where('name', '=', name).forUpdate().executeTakeFirstOrThrow()
  const gates = gatesAfter(stored.gates, setting, actors, featureGroups)
  await db
    .updateTable('feature_flags')
    .set({ gates: JSON.stringify(gates) })
    .where('name', '=', name)
    .execute()
  await recordEvent(ctx, { kind: 'feature.changed', payload: { name, value: JSON.stringify(gates) } })
  return { name, gates }
}

/** The gates after `setting`. Off for all actors removes them all; an actor or a percentage changes only its own gate. */
export function gatesAfter(before: readonly Gate[], setting: FeatureSetting, actors: readonly string[], groups: readonly string[]): Gate[] {
  const gates = new Map(before.map(gate => [gate.key, gate.value]))
  const { value, key = 'percentage_of_time' } = setting
  const targeted = actors.length > 0 || groups.length > 0
  if (typeof value === 'number') gates.set(key, value)
  else if (targeted) {
    gates.set('actors', changed(gates.get('actors'), actors, value))
    gates.set('groups', changed(gates.get('groups'), groups, value))
  } else if (value) gates.set('boolean', true)
  else gates.clear()
  gates.set('boolean', gates.get('boolean') ?? false)
  return [...gates]
    .map(([gate, held]) => ({ key: gate, value: held }) as Gate)
    .filter(isWorthKeeping)
    .sort(booleanFirst)
}

const changed = (held: Gate['value'] | undefined, names: readonly string[], add: boolean): string[] => {
  const set = new Set(Array.isArray(held) ? (held as string[]) : [])
  for (const name of names) add ? set.add(name) : set.delete(name)
  return [...set]
}

const isWorthKeeping = ({ key, value }: Gate): boolean => key === 'boolean' || (Array.isArray(value) ? value.length > 0 : value !== 0)
const booleanFirst = (one: Gate, other: Gate): number => Number(other.key === 'boolean') - Number(one.key === 'boolean')

async function actorsOf({ db }: Context, { user = [], group = [], project = [] }: FeatureSetting): Promise<string[]> {
  const failures: Failures = {}
  const actors: string[] = []
  const found = (kind: 'User' | 'Group' | 'Project', name: string, id: number | undefined) => {
    if (id !== undefined) actors.push(actorName(kind, { id }))
    else failures[kind.toLowerCase()] ??= [`${name} does not exist`]
  }
  for (const username of user) found('User', username, (await userByUsername(db, username))?.id)
  for (const path of group) found('Group', path, (await groups(db).where(isPath(path)).executeTakeFirst())?.id)
  for (const path of project) found('Project', path, (await projects(db).where(isPath(path)).executeTakeFirst())?.id)
  if (Object.keys(failures).length > 0) throw invalid(failures)
  return actors
}

const isPath = (path: string) => sql<boolean>`lower(routes.path) = lower(${path})`

/** Removes the stored setting of a flag, which has its default value again. */
export async function removeFeature(ctx: Context, name: string): Promise<void> {
  await ctx.db.deleteFrom('feature_flags').where('name', '=', name).execute()
  await recordEvent(ctx, { kind: 'feature.removed', payload: { name } })
}
