/**
 * Compares what SQL lets users see with a naive model on random worlds: a few users, a tree of groups, projects in groups and in personal
 * namespaces, memberships of every level, and shares with groups, some of them expired.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { groups } from '../../spaces/groups/queries.ts'
import { projects } from '../../spaces/projects/queries.ts'
import { anyOf } from '../db/statements/any.ts'
import { roles, type Visibility } from './abilities.ts'
import { type Actor, anonymous } from './actor.ts'
import { findActingUser } from './credentials/credentials.ts'
import {
  groupRole,
  groupVisibleTo,
  isGroupMember,
  isOwnGroup,
  isProjectMember,
  oneProjectVisibleTo,
  projectRole,
  projectVisibleTo,
  rolesAmong,
} from './visible.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** A generator of numbers in [0, 1) that repeats for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface ModelGroup {
  readonly id: number
  readonly visibility: Visibility
  readonly parent: ModelGroup | undefined
}
interface ModelProject {
  readonly id: number
  readonly visibility: Visibility
  /** The group that contains it, or the user who owns it. */
  readonly home: ModelGroup | { readonly ownerId: number }
}
interface ModelMember {
  readonly userId: number
  readonly level: number
  readonly expired: boolean
  readonly of: ModelGroup | ModelProject
}
interface ModelShare {
  readonly of: ModelGroup | ModelProject
  readonly group: ModelGroup
  readonly level: number
  readonly expired: boolean
}
interface World {
  readonly shares: readonly ModelShare[]
  /** Groups that set `share_with_group_lock`. */
  readonly locked: ReadonlySet<ModelGroup>
  readonly actors: readonly Actor[]
  readonly groups: readonly ModelGroup[]
  readonly projects: readonly ModelProject[]
  readonly members: readonly ModelMember[]
}

/** Inserts groups and projects as rows: only their ids, tree and visibility matter here. */
async function buildWorld(random: () => number): Promise<World> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const visibilities: readonly Visibility[] = ['private', 'private', 'internal', 'public']
  const people = await Promise.all([{}, {}, {}, { admin: true }].map(attributes => scene.user(attributes)))
  const world = { groups: [] as ModelGroup[], projects: [] as ModelProject[], members: [] as ModelMember[], shares: [] as ModelShare[] }
  for (let index = 0; index < 9; index++) {
    const parent = random() < 0.7 && world.groups.length > 0 ? pick(world.groups) : undefined
    const visibility = pick(visibilities)
    const { group } = await scene.group({ owner: scene.root, visibility: 'private', ...(parent && { parent }) })
    await db.updateTable('namespaces').set({ visibility }).where('id', '=', group.id).execute()
    world.groups.push({ id: group.id, visibility, parent })
  }
  for (let index = 0; index < 9; index++) {
    const visibility = pick(visibilities)
    const own = random() < 0.25
    const owner = pick(people)
    const home = own ? { ownerId: owner.id } : pick(world.groups)
    const { project } = await scene.project(own ? { owner } : { owner: scene.root, group: home as ModelGroup })
    await db.updateTable('projects').set({ visibility }).where('id', '=', project.id).execute()
    world.projects.push({ id: project.id, visibility, home })
    // The server adds the owner of a personal project as a member.
    if (own) world.members.push({ userId: owner.id, level: roles.maintainer, expired: false, of: world.projects.at(-1) as ModelProject })
  }
  // The user becomes external only now, because external users cannot create projects. Existing personal projects stay theirs.
  await db.updateTable('users').set({ external: true }).where('id', '=', people[2]!.id).execute()
  for (const place of [...world.groups, ...world.projects])
    for (const person of people) {
      const taken = world.members.some(member => member.of === place && member.userId === person.id)
      if (taken || random() > 0.15) continue
      const level = pick([10, 20, 30, 40, 50])
      const expired = random() < 0.25
      const key = 'home' in place ? { project_id: place.id } : { namespace_id: place.id }
      await db
        .insertInto('members')
        .values({ ...key, user_id: person.id, access_level: level, expires_at: expired ? '2020-01-01' : null })
        .execute()
      world.members.push({ userId: person.id, level, expired, of: place })
    }
  const locked = new Set(world.groups.filter(() => random() < 0.2))
  const lockedIds = [...locked].map(group => group.id)
  await db.updateTable('namespaces').set({ share_with_group_lock: true }).where('id', '=', anyOf(lockedIds)).execute()
  for (const place of [...world.groups, ...world.projects])
    for (const group of world.groups) {
      if (place === group || random() > 0.12) continue
      const level = pick([10, 20, 30, 40])
      const expired = random() < 0.25
      const key = 'home' in place ? { project_id: place.id } : { namespace_id: place.id }
      await db
        .insertInto('shares')
        .values({ ...key, group_id: group.id, access_level: level, expires_at: expired ? '2020-01-01' : null })
        .execute()
      world.shares.push({ of: place, group, level, expired })
    }
  const users = await Promise.all(people.map(person => findActingUser(db, String(person.id))))
  return { ...world, locked, actors: [anonymous, ...users.map(user => ({ user, credential: undefined, sudoBy: undefined }))] }
}

/** The model: every rule in its slow form. */
const chain = (group: ModelGroup | undefined): ModelGroup[] => (group ? [group, ...chain(group.parent)] : [])
const isGroup = (home: ModelProject['home']): home is ModelGroup => 'id' in home
const placesAround = (project: ModelProject) => [project, ...(isGroup(project.home) ? chain(project.home) : [])]
const memberLevel = (world: World, userId: number, places: readonly (ModelGroup | ModelProject)[]) =>
  Math.max(
    0,
    ...world.members
      .filter(member => member.userId === userId && !member.expired && places.includes(member.of))
      .map(member => member.level),
  )
const isLocked = (world: World, place: ModelGroup | ModelProject) => 'home' in place && world.locked.has(place.home as ModelGroup)
/** A user's level in one of the places, by membership or by a share; a share gives the lower of both levels. */
const levelIn = (world: World, userId: number, places: readonly (ModelGroup | ModelProject)[]) =>
  Math.max(
    memberLevel(world, userId, places),
    ...world.shares
      .filter(share => !share.expired && places.includes(share.of) && !isLocked(world, share.of))
      .map(share => Math.min(share.level, memberLevel(world, userId, chain(share.group)))),
  )

function modelProjectRole(world: World, userId: number, project: ModelProject): number {
  const owned = !isGroup(project.home) && project.home.ownerId === userId ? roles.owner : 0
  return Math.max(owned, levelIn(world, userId, placesAround(project)))
}

function modelGroupRole(world: World, userId: number, group: ModelGroup): number {
  const direct = levelIn(world, userId, chain(group))
  if (direct > 0) return direct
  const inside = [
    ...world.groups.filter(other => chain(other).includes(group)),
    ...world.projects.filter(project => placesAround(project).includes(group)),
  ]
  return levelIn(world, userId, inside) > 0 ? roles.minimal : 0
}

function modelSees(actor: Actor, visibility: Visibility, role: number): boolean {
  if (actor.user?.admin || visibility === 'public') return true
  if (!actor.user) return false
  return role > 0 || (visibility === 'internal' && !actor.user.external)
}

for (const seed of [1, 2, 3, 4])
  test(`in random world ${seed} users see the places, and have the roles, that the rules define`, async () => {
    const world = await buildWorld(randomFrom(seed))
    const projectIds = world.projects.map(project => project.id)
    const groupIds = world.groups.map(group => group.id)
    for (const actor of world.actors) {
      const who = actor.user
        ? `${actor.user.username}${actor.user.admin ? ' (admin)' : ''}${actor.user.external ? ' (external)' : ''}`
        : 'nobody'
      const userId = actor.user?.id ?? 0
      const roleOfProject = (project: ModelProject) => (actor.user ? modelProjectRole(world, userId, project) : 0)
      const roleOfGroup = (group: ModelGroup) => (actor.user ? modelGroupRole(world, userId, group) : 0)

      const seenProjects = await projects(db)
        .select(projectRole(actor).as('role'))
        .where(sql<boolean>`${projectVisibleTo(actor)}`)
        .where('projects.id', 'in', projectIds)
        .orderBy('projects.id')
        .execute()
      assert.deepEqual(
        seenProjects.map(({ id, role }) => [id, role]),
        world.projects
          .filter(project => modelSees(actor, project.visibility, roleOfProject(project)))
          .map(project => [project.id, roleOfProject(project)]),
        `projects that ${who} sees, with roles`,
      )
      const { held, known } = rolesAmong(actor, sql`select unnest(${projectIds}::bigint[])`)
      const { rows: among } = await sql<{ id: number }>`with ${held}
        select projects.id from projects where ${projectVisibleTo(actor, known)} and projects.id = ${anyOf(projectIds)} order by projects.id`.execute(
        db,
      )
      assert.deepEqual(
        among.map(({ id }) => id),
        seenProjects.map(({ id }) => id),
        `projects that ${who} sees, by the roles in them`,
      )
      const byRole = await projects(db)
        .where(sql<boolean>`${oneProjectVisibleTo(actor, projectRole(actor))}`)
        .where('projects.id', 'in', projectIds)
        .orderBy('projects.id')
        .execute()
      assert.deepEqual(
        byRole.map(({ id }) => id),
        seenProjects.map(({ id }) => id),
        `projects that ${who} sees one at a time`,
      )
      const seenGroups = await groups(db)
        .select(groupRole(actor).as('role'))
        .where(sql<boolean>`${groupVisibleTo(actor)}`)
        .where('namespaces.id', 'in', groupIds)
        .orderBy('namespaces.id')
        .execute()
      assert.deepEqual(
        seenGroups.map(({ id, role }) => [id, role]),
        world.groups.filter(group => modelSees(actor, group.visibility, roleOfGroup(group))).map(group => [group.id, roleOfGroup(group)]),
        `groups that ${who} sees, with roles`,
      )
      if (!actor.user) continue
      for (const level of [roles.minimal, roles.developer, roles.owner]) {
        const memberOf = await projects(db)
          .where(sql<boolean>`${isProjectMember(userId, level)}`)
          .where('projects.id', 'in', projectIds)
          .orderBy('projects.id')
          .execute()
        assert.deepEqual(
          memberOf.map(row => row.id),
          world.projects.filter(project => roleOfProject(project) >= level).map(project => project.id),
          `projects where ${who} has at least ${level}`,
        )
        const inGroups = await groups(db)
          .where(sql<boolean>`${isGroupMember(userId, level)}`)
          .where('namespaces.id', 'in', groupIds)
          .orderBy('namespaces.id')
          .execute()
        assert.deepEqual(
          inGroups.map(row => row.id),
          world.groups.filter(group => levelIn(world, userId, chain(group)) >= level).map(group => group.id),
          `groups where ${who} has at least ${level}`,
        )
      }
      const own = await groups(db)
        .where(sql<boolean>`${isOwnGroup(userId)}`)
        .where('namespaces.id', 'in', groupIds)
        .orderBy('namespaces.id')
        .execute()
      assert.deepEqual(
        own.map(row => row.id),
        world.groups.filter(group => roleOfGroup(group) > 0).map(group => group.id),
        `groups of ${who}`,
      )
    }
  })
