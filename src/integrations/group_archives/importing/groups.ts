/** The groups of an archive, in one transaction: all of them, or none. */
import { join } from 'node:path'
import { roles, type Visibility } from '../../../platform/access/abilities.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../../platform/application_settings/restricted_levels.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { createGroup, fitsInside, updateGroup } from '../../../spaces/groups/commands.ts'
import { type GroupRow, groups } from '../../../spaces/groups/queries.ts'
import { memberPlaceOfGroup } from '../../../spaces/members/scope.ts'
import { type Failure, type Import, relationOf } from '../../archives/importing/import.ts'
import { importMembers, type People } from '../../archives/importing/people.ts'
import { assertForm } from '../../archives/reading/form.ts'
import { readObject, readText } from '../../archives/reading/lines.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import type { Row } from '../../archives/reading/row.ts'
import { importBoards } from '../../archives/relations/boards.ts'
import { importLabels, namesOfGroups } from '../../archives/relations/labels.ts'
import { importMilestones } from '../../archives/relations/milestones.ts'
import { importBadges } from '../relations/badges.ts'
import type { ArchivedEpic } from '../relations/epic_parents.ts'
import { connectParents, importEpics } from '../relations/epics.ts'
import { importIterations } from '../relations/iterations.ts'
import { settingsIn, visibilityIn } from '../relations/settings.ts'
import { importWiki } from './wikis.ts'

/** Most groups of an archive: each is made as the API makes it. */
const MOST_GROUPS = 1_000

/** The ids of the groups of an archive, the outermost first. @throws ArchiveRefused */
async function idsIn(folder: string): Promise<number[]> {
  const text = await readText(join(folder, 'tree', 'groups', '_all.ndjson'), 'groups')
  if (text === undefined) throw new ArchiveRefused('The archive is no export of a group: it has no file tree/groups/_all.ndjson.')
  const lines = text.split('\n', MOST_GROUPS + 2).filter(line => line.trim() !== '')
  if (lines.length > MOST_GROUPS) throw new ArchiveRefused(`groups: the archive has more than ${MOST_GROUPS}`, 'groups')
  if (lines.length === 0 || lines.some(line => !/^\s*\d{1,15}\s*$/.test(line)))
    throw new ArchiveRefused('groups: a line is no id', 'groups')
  const ids = lines.map(Number)
  if (new Set(ids).size < ids.length) throw new ArchiveRefused('groups: an id is there twice', 'groups')
  return ids
}

async function groupIn(folder: string, id: number): Promise<Row> {
  const row = await readObject(join(folder, 'tree', 'groups', `${id}.json`), 'groups')
  if (row?.maybeId('id') !== id) throw new ArchiveRefused(`groups: the file of the group ${id} is missing, or is of another one`, 'groups')
  return row
}

/** Makes a group below one that is there. Contract: no more open than that one (import and export of groups at 14.0). */
async function makeGroup(ctx: Context, row: Row, parent: GroupRow): Promise<GroupRow> {
  const [wanted, outer] = [visibilityIn(row), parent.visibility as Visibility]
  const visibility = allowedLevelBelow(ctx.actor, await applicationSettings(ctx.db), fitsInside(wanted, outer) ? wanted : outer)
  return createGroup(ctx, { name: row.text('name', 255), path: row.text('path', 255), parent_id: parent.id, visibility })
}

/** Writes all groups of an archive into `root`. `made` gets the ids of groups that got a wiki. Answers what could not come. @throws ArchiveRefused */
export async function importGroups(ctx: Context, root: GroupRow, folder: string, made: number[]): Promise<Failure[]> {
  await assertForm(folder, 'group')
  const ids = await idsIn(folder)
  const groupsHere = new Map<number, GroupRow>()
  const epics = new Map<number, ArchivedEpic>()
  const failures: Failure[] = []
  const settings: { readonly group: GroupRow; readonly row: Row }[] = []
  let people: People | undefined
  for (const [at, id] of ids.entries()) {
    const row = await groupIn(folder, id)
    const parent = groupsHere.get(row.maybeId('parent_id') ?? -1)
    if (at > 0 && !parent) throw new ArchiveRefused(`groups: the group that ${id} is in does not stand before it`, 'groups')
    const group = parent && at > 0 ? await makeGroup(ctx, row, parent) : root
    groupsHere.set(id, group)
    settings.push({ group, row })
    const relations = join(folder, 'tree', 'groups', String(id))
    const own = await importMembers(
      ctx,
      memberPlaceOfGroup({ ...group, role: roles.owner }),
      relationOf({ relations }, 'members'),
      roles.owner,
    )
    people = people ? people.and(own) : own
    await importRelations(await stateOf(ctx, group, { relations, people, failures }), group, epics)
    if (ctx.tier !== 'free') {
      made.push(group.id)
      await importWiki(ctx.deps, group.id, folder, id)
    }
  }
  await connectParents({ db: ctx.db, failures }, epics)
  // The settings last, from the outermost: they are locks, too.
  for (const { group, row } of settings) {
    const fresh = await groups(ctx.db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
    const given = settingsIn(row)
    // A lock of the place that the archive comes into stays, whatever the archive says.
    if (group.id === root.id && fresh.share_with_group_lock) given.share_with_group_lock = true
    await updateGroup(ctx, fresh, given)
  }
  return failures
}

async function stateOf(ctx: Context, group: GroupRow, rest: Pick<Import, 'relations' | 'people' | 'failures'>): Promise<Import> {
  const { db } = ctx
  return {
    ctx,
    db,
    place: { namespace_id: group.id },
    labels: await namesOfGroups(db, group.traversal_ids, 'labels'),
    milestones: await namesOfGroups(db, group.traversal_ids, 'milestones'),
    labelIds: new Map(),
    ...rest,
  }
}

async function importRelations(state: Import, group: GroupRow, epics: Map<number, ArchivedEpic>): Promise<void> {
  await importLabels(state)
  await importMilestones(state)
  await importBadges(state, group.id)
  await importBoards(state)
  await importIterations(state, group.id)
  await importEpics(state, group, epics)
}
