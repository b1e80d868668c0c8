/** What a card says of the thing at an address, for those who may see it; undefined for everyone else, and where nothing is. */
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import { statusOf } from '../../identity/user_status/queries.ts'
import { userByUsername } from '../../identity/users/queries.ts'
import { milestonesMatching } from '../../planning/milestones/queries.ts'
import { presentMilestone } from '../../planning/shared/embedded.ts'
import { allows } from '../../platform/access/abilities.ts'
import { readCommit, resolveCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import type { Html } from '../../platform/pages/html.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { groupPlaceOf, type PlanningPlace } from '../../spaces/places/places.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { planningPlace } from '../issues/choices.ts'
import { commitCard, groupCard, itemCard, milestoneCard, type ShownItem, userCard } from './cards_view.ts'

type Card = Promise<Html | undefined>

/** @param path of the thing, as a link in a text has it: `group/project/-/issues/1` */
export async function cardAt(ctx: Context, path: string): Card {
  return (await itemAt(ctx, path)) ?? (await milestoneAt(ctx, path)) ?? (await commitAt(ctx, path)) ?? (await accountAt(ctx, path))
}

async function itemAt(ctx: Context, path: string): Card {
  for (const kind of itemKinds.value) {
    const [, place, iid] = kind.address.exec(path) ?? []
    if (place === undefined) continue
    const [named] = await kind.named(ctx, [{ path: place.toLowerCase(), iid: Number(iid) }])
    const row = named && (await kind.answer.visibleById(ctx, [named.id])).get(named.id)
    if (row === undefined) return undefined
    const shown = kind.answer.present(row, await kind.answer.load(ctx, [row]), ctx)
    return itemCard(shown as unknown as ShownItem, `${kind.sigil}${iid}`)
  }
  return undefined
}

/** A project by its path, if the caller may see it. */
const projectAt = ({ db, actor }: Context, path: string): Promise<ProjectWithRole | undefined> =>
  findProject(db, actor, path).catch(error => {
    if (error instanceof Refusal) return undefined
    throw error
  })

async function milestoneAt(ctx: Context, path: string): Card {
  const [, isOfGroup, place = '', iid] = /^(groups\/)?(.+?)\/-\/milestones\/(\d{1,15})$/.exec(path) ?? []
  if (iid === undefined) return undefined
  const found = isOfGroup ? await groupWithMilestones(ctx, place) : await projectWithMilestones(ctx, place)
  const row = found && (await milestonesMatching(ctx.db, found, { iids: [Number(iid)] }).executeTakeFirst())
  return row && milestoneCard(presentMilestone(row, ctx), place)
}

async function groupWithMilestones({ db, actor }: Context, path: string): Promise<PlanningPlace | undefined> {
  const group = await visibleGroup(db, actor, path)
  if (!group || allows(actor, 'read_group_milestone', groupSubject(group)) !== 'yes') return undefined
  return { noun: 'group', id: group.id, ...groupPlaceOf(group), full_path: group.full_path }
}

async function projectWithMilestones(ctx: Context, path: string): Promise<PlanningPlace | undefined> {
  const project = path.includes('/') ? await projectAt(ctx, path) : undefined
  return project && allows(ctx.actor, 'read_milestone', projectSubject(project)) === 'yes' ? planningPlace(project) : undefined
}

async function commitAt(ctx: Context, path: string): Card {
  const [, place = '', sha] = /^(.+?)\/-\/commit\/([0-9a-f]{7,64})$/.exec(path) ?? []
  const project = sha !== undefined && place.includes('/') ? await projectAt(ctx, place) : undefined
  if (sha === undefined || !project || allows(ctx.actor, 'read_code', projectSubject(project)) !== 'yes') return undefined
  const repository = await findRepository(ctx.deps.storages, project)
  const id = repository && (await resolveCommit(repository, sha))
  const commit = id && (await readCommit(repository, id))
  return commit ? commitCard(commit) : undefined
}

async function accountAt(ctx: Context, path: string): Card {
  const [, group] = /^groups\/([^?]+)$/.exec(path) ?? []
  const found = group === undefined || group.includes('/-/') ? undefined : await visibleGroup(ctx.db, ctx.actor, group)
  if (found) return groupCard(found)
  const user = /^[\w.-]+$/.test(path) ? await userByUsername(ctx.db, path) : undefined
  if (!user || allows(ctx.actor, 'read_user', { on: 'user', userId: user.id, kind: user.kind }) !== 'yes') return undefined
  return userCard(user, await statusOf(ctx.db, user.id, ctx.now))
}
