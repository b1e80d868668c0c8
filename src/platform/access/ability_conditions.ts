/**
 * Abilities as SQL conditions on the rows of projects, generated from the same table that `allows` reads: a list holds the rows about
 * which `allows` says yes. What is the actor's own is asked of each thing, and not here.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Ability, abilities, isPublicTo, type PlaceRule } from './abilities.ts'
import { type Actor, isActive, isAdmin } from './actor.ts'
import { actsForJob, openedFor, withinReach } from './credentials/job_reach.ts'
import { admitsInSql, asSql, both, builtOn, type Condition, either, type Feature, isFeatureOnInSql, type Role, roles } from './open_to.ts'
import { hasGroupRole, hasProjectRole, type KnownMemberships, projectRole } from './visible.ts'

/** The row of a project or group in a statement. */
interface Terms {
  readonly table: string
  /** Does the visibility of the place admit the actor without a role? */
  readonly admits: Condition
  /** Has the actor at least this role, which is above none? */
  atLeast(role: Role): Condition
}

/** The ids of the projects, among those that meet `condition`, about which `allows` says yes. */
export const projectsAllowing = (
  actor: Actor,
  ability: Ability,
  condition: RawBuilder<boolean>,
  known?: KnownMemberships,
): RawBuilder<number> => sql`select projects.id from projects where ${condition} and ${projectAllows(actor, ability, known)}`

/** May the actor do this in the project `projects`? Answers no for the projects that are hidden from the actor. */
export function projectAllows(actor: Actor, ability: Ability, known?: KnownMemberships): RawBuilder<boolean> {
  const admits = withinReach(actor, admitsInSql(sql`projects.visibility`, actor.user))
  // The token of a job has no role beyond the job's reach; its lists are short, and need not begin with the memberships.
  const roleOfJob = sql`(select ${projectRole(actor)} from namespaces where namespaces.id = projects.namespace_id)`
  const atLeast = (role: Role): Condition =>
    actsForJob(actor) ? sql<boolean>`${roleOfJob} >= ${sql.lit(role)}` : hasProjectRole(actor, role, known)
  const allowed = conditionOf(actor, ability, { table: 'projects', admits, atLeast })
  // Nobody but administrators has a role in what is being deleted, and it is private.
  return asSql(isAdmin(actor) ? both(sql<boolean>`not projects.deleting`, allowed) : allowed)
}

/** May the actor do this in the group `namespaces`? */
export function groupAllows(actor: Actor, ability: Ability): RawBuilder<boolean> {
  const { user } = actor
  const atLeast = (role: number): Condition => user !== undefined && hasGroupRole({ ...actor, user }, role)
  const admits = admitsInSql(sql`namespaces.visibility`, openedFor(actor))
  const allowed = conditionOf(actor, ability, { table: 'namespaces', admits, atLeast })
  return asSql(isAdmin(actor) ? both(sql<boolean>`not namespaces.deleting`, allowed) : allowed)
}

/** The same about a row that has the columns of a project and, as `role`, the actor's role in it. */
export const rowAllows = (actor: Actor, ability: Ability, table: string): RawBuilder<boolean> =>
  asSql(
    conditionOf(actor, ability, {
      table,
      admits: admitsInSql(sql.ref(`${table}.visibility`), actor.user),
      atLeast: role => sql<boolean>`${sql.ref(`${table}.role`)} >= ${sql.lit(role)}`,
    }),
  )

function conditionOf(actor: Actor, ability: Ability, { table, ...terms }: Terms): Condition {
  const rule = abilities[ability]
  const isOfPlace = rule.on === (table === 'namespaces' ? 'group' : 'project')
  if (!isOfPlace) throw new Error(`ability ${ability} is about a ${rule.on}, not about a row of ${table}`)
  if (!isActive(actor)) return false
  if ('who' in rule) return isAdmin(actor)
  const column = (name: string) => sql.ref<boolean>(`${table}.${name}`)
  const atLeast = (role: Role): Condition => isAdmin(actor) || role === roles.none || terms.atLeast(role)
  const open = isPublicTo(actor, rule) && terms.admits
  // Members below Guest may not know of a private project. From Guest up the role says so already.
  const isSeen = rule.on === 'group' || rule.role >= roles.guest || either(terms.admits, atLeast(roles.guest))
  const isOn = (feature: Feature): Condition =>
    both(isFeatureOnInSql(feature, column(`${feature}_access_level`), atLeast), ...belowOf(feature).map(isOn))
  return both(
    rule.ofJobs
      ? // As in `allows`: Reporters and above have no need of public jobs.
        either(both(column('public_jobs'), either(open, atLeast(rule.role))), atLeast(roles.reporter))
      : either(open, atLeast(rule.role)),
    isSeen,
    featuresOf(rule).length === 0 || either(...featuresOf(rule).map(isOn)),
    ...(rule.also ?? []).map(isOn),
    !rule.changes || sql<boolean>`not ${column('archived')}`,
  )
}

const featuresOf = ({ feature }: PlaceRule): readonly Feature[] => (feature === undefined ? [] : [feature].flat())

const belowOf = (feature: Feature): readonly Feature[] => {
  const below = builtOn[feature]
  return below === undefined ? [] : [below]
}
