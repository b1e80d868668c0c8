/** A group comes by the API: its settings, then labels, milestones and members, and then what is below it, each as a part of the migration of its own. */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { accountsByEmail } from '../../../identity/emails/queries.ts'
import { createLabel } from '../../../planning/labels/commands.ts'
import { createMilestone, updateMilestone } from '../../../planning/milestones/commands.ts'
import { allows, roles, type Visibility } from '../../../platform/access/abilities.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { withSavepoint } from '../../../platform/db/statements/savepoint.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { groupAttributes } from '../../../spaces/groups/attributes.ts'
import { createGroup, fitsInside, type GroupAttributes } from '../../../spaces/groups/commands.ts'
import { type GroupRow, visibleGroup } from '../../../spaces/groups/queries.ts'
import { groupSubject } from '../../../spaces/groups/scope.ts'
import { ensureMembers } from '../../../spaces/members/commands.ts'
import { placeOfGroup } from '../../../spaces/places/places.ts'
import { knownMembers } from '../../archives/importing/people.ts'
import { reasonOfRefusal } from '../../archives/reading/refused.ts'
import { Row } from '../../archives/reading/row.ts'
import { addEntities, type Missing, type NamedEntity } from '../commands.ts'
import { enter, leftBehind, MigrationRefused, missing, type Outcome, pagesOf, placeAbove, type Step, type Work, writing } from './work.ts'

const pathOf = ({ entity }: Work): string => `/groups/${encodeURIComponent(entity.source_full_path)}`

/** Does the next step of a group. */
export async function groupStep(work: Work): Promise<Outcome> {
  const { step } = work.entity
  if (step === 'begin') return makeGroup(work)
  if (step === 'labels') return copy(work, await labelsIn(work), 'milestones')
  if (step === 'milestones') return copy(work, await milestonesIn(work), 'members')
  if (step === 'members') return copy(work, await membersIn(work), 'children')
  if (step === 'children') return addChildren(work)
  await tellRest(work)
  return 'done'
}

/** Settings that are the same here, where they are valid as if they came by the API. */
const copied = [
  'description',
  'share_with_group_lock',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  'project_creation_level',
  'subgroup_creation_level',
  'auto_devops_enabled',
  'emails_disabled',
  'mentions_disabled',
  'lfs_enabled',
  'request_access_enabled',
  'default_branch_protection',
] as const satisfies readonly (keyof GroupAttributes)[]

const attributes = Compile(Type.Object(groupAttributes))

function settingsIn(row: Row): GroupAttributes {
  const given = copied.map(name => [name, row.raw(name)] as const)
  return Object.fromEntries(given.filter(([name, value]) => value != null && attributes.Check({ [name]: value })))
}

async function makeGroup(work: Work): Promise<Outcome> {
  const { source, entity } = work
  const row = Row.of((await source.get(`${pathOf(work)}?with_projects=false`)).value, 'group')
  await writing(work, async ctx => {
    const { db, actor } = ctx
    const { destination_name: name, destination_slug: path } = entity
    const above = await placeAbove(work, db)
    const parent = above === '' ? undefined : await visibleGroup(db, actor, above)
    if (above !== '' && !parent) throw new MigrationRefused(`There is no group ${entity.destination_namespace} that the account may see.`)
    const wanted = row.oneOf('visibility', ['private', 'internal', 'public'])
    const outer = parent?.visibility as Visibility | undefined
    // Never more open than the group that it comes into.
    const visibility = allowedLevelBelow(actor, await applicationSettings(db), outer && !fitsInside(wanted, outer) ? outer : wanted)
    const settings = settingsIn(row)
    if (parent?.share_with_group_lock) settings.share_with_group_lock = true
    const group = await createGroup(ctx, { ...settings, name, path, visibility, ...(parent && { parent_id: parent.id }) })
    await enter(db, work, 'labels', { namespace_id: group.id })
  })
  return { next: 'labels' }
}

/** The group as it is now, which the user administers still. @throws MigrationRefused */
async function groupOf({ entity }: Work, { db, actor }: Context): Promise<GroupRow & { readonly role: number }> {
  const group = entity.namespace_id === null ? undefined : await visibleGroup(db, actor, String(entity.namespace_id))
  if (group && allows(actor, 'admin_group', groupSubject(group)) === 'yes') return group
  throw new MigrationRefused('The group was deleted while it was migrated, or the account may not administer it any more.')
}

/** Writes a part of the group. Answers what could not come. */
type Write = (ctx: Context, group: GroupRow & { readonly role: number }) => Promise<readonly Missing[]>

/** Writes what was read, and goes on, in one transaction: a part comes once. */
async function copy(work: Work, write: Write, next: Step): Promise<Outcome> {
  await writing(work, async ctx => {
    await missing(ctx.db, work, await write(ctx, await groupOf(work, ctx)))
    await enter(ctx.db, work, next)
  })
  return { next }
}

async function allOf(work: Work, path: string, relation: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pagesOf(work, `${pathOf(work)}${path}`, relation)) rows.push(...page)
  return rows
}

/** Makes one thing of each row; what is refused here is reported. */
async function each(db: Db, rows: readonly Row[], relation: string, make: (row: Row) => Promise<unknown>): Promise<Missing[]> {
  const found: Missing[] = []
  for (const row of rows)
    try {
      await withSavepoint(db, () => make(row))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      found.push({
        relation,
        message: `${row.maybeText('name', 255) ?? row.maybeText('title', 255) ?? ''}: ${reasonOfRefusal(error)}`,
        kind: error.name,
      })
    }
  return found
}

async function labelsIn(work: Work): Promise<Write> {
  const rows = await allOf(work, '/labels?include_ancestor_groups=false', 'labels')
  return (ctx, group) =>
    each(ctx.db, rows, 'labels', row =>
      createLabel(ctx, placeOfGroup(group), {
        name: row.text('name', 255),
        color: row.text('color', 64),
        description: row.maybeText('description', 65_535),
      }),
    )
}

async function milestonesIn(work: Work): Promise<Write> {
  const rows = (await allOf(work, '/milestones', 'milestones')).sort((one, other) => one.integer('iid') - other.integer('iid'))
  return (ctx, group) =>
    each(ctx.db, rows, 'milestones', async row => {
      const place = placeOfGroup(group)
      const milestone = await createMilestone(ctx, place, {
        iid: row.iid(),
        title: row.text('title', 255),
        description: row.maybeText('description') ?? null,
        start_date: row.maybeDay('start_date') ?? null,
        due_date: row.maybeDay('due_date') ?? null,
      })
      if (row.maybeText('state', 64) === 'closed') await updateMilestone(ctx, place, milestone, { state_event: 'close' })
    })
}

/** Contract: members come where an administrator migrates, found by their confirmed addresses, as in archives of projects. */
async function membersIn(work: Work): Promise<Write> {
  const { actor, source } = work
  if (!isAdmin(actor)) return async () => [{ relation: 'members', message: 'Members come where an administrator migrates: add them here.' }]
  const found: {
    readonly username: string
    readonly email: string | undefined
    readonly level: number
    readonly expires_at: string | undefined
  }[] = []
  for (const row of await allOf(work, '/members', 'members')) {
    const user = await source.ask(`/users/${row.integer('id')}`)
    const known = user.status === 200 ? Row.of(user.value, 'users') : undefined
    found.push({
      username: row.text('username', 255),
      email: known?.maybeText('email', 255) || known?.maybeText('public_email', 255) || undefined,
      level: row.integer('access_level', { max: 100 }),
      expires_at: row.maybeDay('expires_at'),
    })
  }
  return async (ctx, group) => {
    const accounts = await accountsByEmail(
      ctx.db,
      found.flatMap(({ email }) => email ?? []),
    )
    const people = found.map(member => ({ ...member, account: accounts.get(member.email?.toLowerCase() ?? '') }))
    await ensureMembers(ctx, { namespace_id: group.id }, knownMembers(people, roles.owner))
    return people
      .filter(({ account }) => !account)
      .map(({ username, email }) => ({
        relation: 'members',
        message: `${username}: ${email === undefined ? 'the token cannot see an e-mail address' : 'no account here has confirmed the e-mail address'}`,
      }))
  }
}

/** Levels of groups that are migrated: a server may say that a group contains itself. */
const MOST_LEVELS = 20

/** The subgroups and projects, as parts of their own. */
async function addChildren(work: Work): Promise<Outcome> {
  const { entity, deps } = work
  const kinds = [
    ['group_entity', '/subgroups?all_available=true', 'full_path'],
    ['project_entity', '/projects?include_subgroups=false&with_shared=false', 'path_with_namespace'],
  ] as const
  for (const [source_type, path, field] of kinds)
    for await (const rows of pagesOf(work, `${pathOf(work)}${path}`, source_type === 'group_entity' ? 'subgroups' : 'projects'))
      await writing(work, async ctx => {
        const group = await groupOf(work, ctx)
        if (source_type === 'group_entity' && group.traversal_ids.length >= MOST_LEVELS)
          throw new MigrationRefused(`The groups are nested deeper than ${MOST_LEVELS} levels.`)
        const named = rows.map((row): NamedEntity => {
          const source_full_path = row.text(field, 2_048)
          return {
            source_type,
            source_full_path,
            destination_name: row.text('name', 255),
            destination_slug: row.text('path', 255),
            destination_namespace: group.full_path,
          }
        })
        const place = { bulk_import_id: entity.bulk_import_id, parent_id: entity.id, now: deps.now() }
        if (!(await addEntities(ctx.db, place, named))) throw new MigrationRefused('The migration has too many groups and projects.')
      })
  await enter(deps.database.db, work, 'rest')
  return { next: 'rest' }
}

/** What does not come, as far as the token may see it. */
async function tellRest(work: Work): Promise<void> {
  const base = pathOf(work)
  const found = await leftBehind(work, [
    ['ci_variables', `${base}/variables`, 'their values are secrets, and are set again'],
    ['hooks', `${base}/hooks`, 'their secrets cannot be read, and they are set again'],
    ['epics', `${base}/epics`, 'epics do not come'],
    ['boards', `${base}/boards`, 'boards of groups do not come'],
    ['badges', `${base}/badges`, 'badges are added again'],
    ['wikis', `${base}/wikis`, 'wikis of groups do not come: push their repository'],
    ['iterations', `${base}/iterations`, 'iterations do not come'],
  ])
  await writing(work, ctx => missing(ctx.db, work, found))
}
