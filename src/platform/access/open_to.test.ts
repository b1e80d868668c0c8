/** The SQL of abilities, held against `allows` over rows of a real database: every combination that the table of openness knows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { projects } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { type Ability, type AbilitySubject, abilities, allows, roles, type Visibility } from './abilities.ts'
import { groupAllows, projectAllows, rowAllows } from './ability_conditions.ts'
import { type Actor, anonymous } from './actor.ts'
import { findActingUser } from './credentials/credentials.ts'
import { builtOn, type FeatureLevel } from './open_to.ts'
import { groupRole, groupVisibleTo, knownMemberships, projectRole, projectVisibleTo, rolesAmong } from './visible.ts'

const scene = await openScene()
const { db } = scene.deps.database

const visibilities: readonly Visibility[] = ['private', 'internal', 'public']
const levels: readonly FeatureLevel[] = ['disabled', 'private', 'enabled']
const abilitiesOn = (place: 'project' | 'group') => (Object.keys(abilities) as Ability[]).filter(ability => abilities[ability].on === place)

const readAbilities = [
  'read_project',
  'read_issue',
  'read_code',
  'read_merge_request',
  'read_job',
  'push_code',
] as const satisfies Ability[]

const isRead = (ability: Ability) => readAbilities.some(name => name === ability)

/** The features that abilities ask for, with what they are built on. */
const asked = new Set(
  Object.values(abilities).flatMap(rule => {
    if ('who' in rule) return []
    const named = [rule.feature ?? [], rule.also ?? []].flat()
    return [...named, ...named.flatMap(feature => builtOn[feature] ?? [])]
  }),
)

/** Nobody, users of each kind with each role in the group, and an administrator without one. */
async function actorsIn(groupId: number): Promise<Map<string, Actor>> {
  const actors = new Map<string, Actor>([['nobody', anonymous]])
  for (const [role, level] of Object.entries(roles))
    for (const external of [false, true]) {
      const { id } = await scene.user({ external })
      if (level > 0)
        await db.insertInto('members').values({ namespace_id: groupId, user_id: id, access_level: level, expires_at: null }).execute()
      actors.set(`${external ? 'external' : 'regular'} ${role}`, {
        user: await findActingUser(db, String(id)),
        credential: undefined,
        sudoBy: undefined,
      })
    }
  const blocked = await scene.user()
  await db.insertInto('members').values({ namespace_id: groupId, user_id: blocked.id, access_level: 50, expires_at: null }).execute()
  await scene.root.post(`/users/${blocked.id}/block`)
  actors.set('blocked owner', { user: await findActingUser(db, String(blocked.id)), credential: undefined, sudoBy: undefined })
  const { id } = await scene.user({ admin: true })
  return actors.set('administrator', { user: await findActingUser(db, String(id)), credential: undefined, sudoBy: undefined })
}

/** Statements of hundreds of conditions take seconds to compile, which they run but once. */
const withoutCompiling = <T>(work: (within: typeof db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async within => {
    await sql`set local jit = off`.execute(within)
    return work(within)
  })

/** A project for each visibility and each pair of levels of any two of three groups of features, some archived, some with private jobs. */
async function projectsOfEveryKind(group: Awaited<ReturnType<typeof scene.group>>['group']): Promise<number[]> {
  const ids: number[] = []
  for (const visibility of visibilities)
    for (const planned of levels)
      for (const code of levels) {
        const built = levels[(levels.indexOf(planned) + levels.indexOf(code) + ids.length) % 3] as FeatureLevel
        const { project } = await scene.project({ owner: scene.root, group })
        const varied = {
          issues: planned,
          merge_requests: planned,
          operations: planned,
          repository: code,
          builds: built,
          forking: built,
          analytics: built,
          wiki: built,
          pages: built,
          container_registry: built,
          snippets: planned,
        }
        const columns = Object.fromEntries(Object.entries(varied).map(([feature, level]) => [`${feature}_access_level`, level]))
        await db
          .updateTable('projects')
          .set({ visibility, ...columns, archived: ids.length % 5 === 0, public_jobs: ids.length % 2 === 0 })
          .where('id', '=', project.id)
          .execute()
        ids.push(project.id)
      }
  return ids
}

test('lists hold the projects about which `allows` says yes: every ability × role × kind of user × visibility × feature level', async () => {
  assert.deepEqual(
    [...asked].sort(),
    [
      'analytics',
      'builds',
      'container_registry',
      'forking',
      'issues',
      'merge_requests',
      'operations',
      'pages',
      'repository',
      'snippets',
      'wiki',
    ],
    'the features that vary below',
  )
  const { group } = await scene.group({ owner: scene.root, visibility: 'private' })
  const ids = await projectsOfEveryKind(group)
  const actors = await actorsIn(group.id)
  // The jobs of a project that lets nobody out reach what is public and the project itself.
  const job = { kind: 'job_token', jobId: 1, projectId: ids[5] as number, ofAdmin: false, confined: true } as const
  for (const name of ['regular none', 'external guest', 'regular developer'])
    actors.set(`job of ${name}`, { ...(actors.get(name) as Actor), credential: job })
  for (const [who, actor] of actors) {
    const known = await knownMemberships(db, actor)
    const among = rolesAmong(actor, sql`select unnest(${ids}::bigint[])`)
    const rows = await projects(db).select(projectRole(actor).as('role')).where('projects.id', 'in', ids).orderBy('projects.id').execute()
    // The conditions of a job are long to plan: those of a few abilities show that its reach counts.
    const names = actor.credential ? readAbilities : abilitiesOn('project')
    const conditions = names.flatMap(ability => [
      // By the memberships in the statement for some, by those found before or at its beginning for all.
      projectAllows(actor, ability, isRead(ability) ? undefined : known),
      projectAllows(actor, ability, known),
      projectAllows(actor, ability, among.known),
      rowAllows(actor, ability, 'seen'),
    ])
    const saying = sql<{ allowed: boolean[]; visible: boolean }>`
      with ${among.held}
      select array[${sql.join(conditions)}] as allowed, ${projectVisibleTo(actor)} as visible
        from projects join namespaces on namespaces.id = projects.namespace_id
             cross join lateral (select projects.*, ${projectRole(actor)} as role) as seen
       where projects.id = any(${ids}) order by projects.id`
    const { rows: said } = await withoutCompiling(async within => saying.execute(within))
    assert.equal(said.length, ids.length)
    for (const [index, row] of rows.entries()) {
      const subject = projectSubject(row)
      const { allowed, visible } = said[index]!
      const isSeen = allows(actor, 'read_project', subject) === 'yes'
      const about = `${row.visibility} project, issues ${row.issues_access_level}, code ${row.repository_access_level}, builds ${row.builds_access_level}`
      // Whether a project is within reach of a job is not in the table.
      if (actor.credential === undefined) assert.equal(visible, isSeen, `${who} sees a ${about}`)
      for (const [at, ability] of names.entries()) {
        const verdict = allows(actor, ability, subject) === 'yes'
        const inSql = allowed.slice(at * 4, at * 4 + 4)
        // Members with minimal access do not know of private projects: scopes answer 404 before anything is allowed.
        const expected = verdict && isSeen && visible
        assert.deepEqual(inSql.slice(0, 3), [expected, expected, expected], `${who}: ${ability} in a ${about}`)
        if (isSeen && visible) assert.equal(inSql[3], verdict, `${who}: ${ability} in a row of a ${about}`)
      }
    }
  }
})

test('and the groups: every ability × role × kind of user × visibility', async () => {
  for (const visibility of visibilities) {
    const { group } = await scene.group({ owner: scene.root, visibility: 'private' })
    await db.updateTable('namespaces').set({ visibility }).where('id', '=', group.id).execute()
    for (const [who, actor] of await actorsIn(group.id)) {
      const names = abilitiesOn('group')
      const row = await db
        .selectFrom('namespaces')
        .select([
          groupRole(actor).as('role'),
          sql<boolean[]>`array[${sql.join(names.map(ability => groupAllows(actor, ability)))}]`.as('allowed'),
          sql<boolean>`${groupVisibleTo(actor)}`.as('visible'),
        ])
        .where('namespaces.id', '=', group.id)
        .executeTakeFirstOrThrow()
      const subject = { on: 'group', role: row.role, visibility } as AbilitySubject
      assert.equal(row.visible, allows(actor, 'read_group', subject) === 'yes', `${who} sees a ${visibility} group`)
      for (const [at, ability] of names.entries())
        assert.equal(row.allowed[at], allows(actor, ability, subject) === 'yes', `${who}: ${ability} in a ${visibility} group`)
    }
  }
})

test('what the author or the assignee of a thing may do takes an ability to see it', () => {
  for (const [name, rule] of Object.entries(abilities))
    if ('own' in rule && rule.own) assert.equal(abilities[rule.own as Ability]?.on, rule.on, `${name}: own`)
})
