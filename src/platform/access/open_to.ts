/**
 * The one table of openness: what the visibility of a place and the level of a feature give to whom. `allows` reads it directly,
 * conditions in SQL are generated from it, and open_to.test.ts compares the two for every combination.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from './actor.ts'

/** Access levels of members (document 3; 5 is minimal access). `none` is no membership. */
export const roles = { none: 0, minimal: 5, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const
export type Role = (typeof roles)[keyof typeof roles]

export type Visibility = 'private' | 'internal' | 'public'

/** The features of a project that have an access level of their own. */
export const features = [
  'issues',
  'repository',
  'merge_requests',
  'forking',
  'wiki',
  'builds',
  'snippets',
  'analytics',
  'operations',
  'pages',
  'requirements',
  'container_registry',
] as const
export type Feature = (typeof features)[number]

export type FeatureLevel = 'disabled' | 'private' | 'enabled' | 'public'

/** Where a feature of the level `private` is on from another role than Guest: images and merge requests are for Reporters (public behaviour at 14.0). */
const privateFrom: { readonly [F in Feature]?: Role } = { container_registry: roles.reporter, merge_requests: roles.reporter }

/** Features that are on only where another feature is on as well: merge requests are hidden from users who may not see the code. */
export const builtOn: { readonly [F in Feature]?: Feature } = { merge_requests: 'repository' }

/** What a user without a role counts as. Administrators need no entry: they count as owners everywhere. */
export type Audience = 'anonymous' | 'external' | 'regular'

/** Which audiences a visibility admits without a role (document 3 "Visibility", decision 43). */
const admitted: Readonly<Record<Visibility, readonly Audience[]>> = {
  private: [],
  internal: ['regular'],
  public: ['anonymous', 'external', 'regular'],
}

/** The role from which a feature of each level is on; undefined where it is on for nobody. */
const neededBy = (feature: Feature): Readonly<Record<FeatureLevel, Role | undefined>> => ({
  disabled: undefined,
  private: privateFrom[feature] ?? roles.guest,
  enabled: roles.none,
  public: roles.none,
})

/** Credentials without a user (deploy keys and tokens) count as anonymous outside of their own projects. */
export const audienceOf = (user: { readonly external: boolean } | undefined): Audience => {
  if (!user) return 'anonymous'
  return user.external ? 'external' : 'regular'
}

/** Does this visibility alone admit the user? */
export const admits = (visibility: string, user: { readonly external: boolean } | undefined): boolean =>
  admitted[visibility as Visibility].includes(audienceOf(user))

/** The same as SQL; `visibility` is the column. */
export function admitsInSql(visibility: RawBuilder<unknown>, user: Actor['user']): RawBuilder<boolean> {
  const names = Object.keys(admitted) as Visibility[]
  const closed = names.filter(name => !admits(name, user))
  // With a single exception the condition is the one that the partial index on open projects has.
  if (closed.length === 1) return sql`${visibility} <> ${sql.lit(closed[0])}`
  return sql`${visibility} in (${sql.join(names.filter(name => admits(name, user)).map(name => sql.lit(name)))})`
}

/** Is a feature of this level on for someone with this role? */
export const isFeatureOn = (feature: Feature, level: FeatureLevel, role: number): boolean => {
  const needed = neededBy(feature)[level]
  return needed !== undefined && role >= needed
}

/**
 * The same as SQL.
 * @param level the column
 * @param atLeast the condition for having a role; `true` for administrators
 */
export function isFeatureOnInSql(feature: Feature, level: RawBuilder<unknown>, atLeast: (role: Role) => Condition): Condition {
  const needed = neededBy(feature)
  // Only pages are public by themselves (`public`), beyond the project's visibility.
  const levels = (Object.keys(needed) as FeatureLevel[]).filter(name => name !== 'public' || feature === 'pages')
  const byRole = Map.groupBy(levels, name => needed[name])
  return either(
    ...[...byRole].map(([role, names]): Condition => {
      if (role === undefined) return false
      const isOne =
        names.length === 1
          ? sql<boolean>`${level} = ${sql.lit(names[0])}`
          : sql<boolean>`${level} in (${sql.join(names.map(name => sql.lit(name)))})`
      return role === roles.none ? isOne : both(isOne, atLeast(role))
    }),
  )
}

/** A condition that may be settled before the statement is written. */
export type Condition = RawBuilder<boolean> | boolean

/** `and`, without what is settled. */
export function both(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(false)) return false
  const open = conditions.filter(condition => condition !== true) as RawBuilder<boolean>[]
  return open.length < 2 ? (open[0] ?? true) : sql<boolean>`${sql.join(open, sql` and `)}`
}

/** `or` in parentheses, without what is settled. */
export function either(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(true)) return true
  const open = conditions.filter(condition => condition !== false) as RawBuilder<boolean>[]
  return open.length < 2 ? (open[0] ?? false) : sql<boolean>`(${sql.join(open, sql` or `)})`
}

/** The condition as SQL. */
export const asSql = (condition: Condition): RawBuilder<boolean> => (typeof condition === 'boolean' ? sql.lit(condition) : condition)
