/**
 * Push options about merge requests: they create or change one (`git push -o merge_request.create`). The reply to a push names the URL
 * of the open merge request, or the page where one can be created (push options of the public platform at 14.0).
 */

import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { milestoneNamed } from '../../../../planning/shared/quick_actions/named.ts'
import { allows } from '../../../../platform/access/abilities.ts'
import { findActingUser } from '../../../../platform/access/credentials/credentials.ts'
import { transact } from '../../../../platform/db/transact.ts'
import { type RefMove, readCommit, shortNameOf, zeroId } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectAllowing, projectSubject } from '../../../../spaces/projects/scope.ts'
import { endsFrom } from '../../changes/create.ts'
import { permitted } from '../../changes/params.ts'
import { createMergeRequestWithQuickActions, updateMergeRequestWithQuickActions } from '../../item_kind/quick_actions/with_quick_actions.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { autoMergeOn } from '../auto_merge/auto_merge.ts'
import { refreshMergeRequest } from './refresh.ts'

/** Upper bound of the branches of a push that the reply covers. */
const MOST_BRANCHES = 3

const PREFIX = 'merge_request.'
const AUTO_MERGE = 'merge_when_pipeline_succeeds'

/** The options about merge requests, by name; an option without a value has an empty one. */
export function mergeRequestOptions(options: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const option of options) {
    if (!option.startsWith(PREFIX)) continue
    const [name, ...value] = option.slice(PREFIX.length).split('=')
    found.set(name as string, [...(found.get(name as string) ?? []), value.join('=')])
  }
  return found
}

/** Applies the options and returns the lines that the client prints. A refusal is printed, too. */
export async function answerPush(
  ctx: Context,
  project: ProjectWithRole,
  moves: readonly RefMove[],
  options: readonly string[],
): Promise<string[]> {
  const asked = mergeRequestOptions(options)
  const branches = moves.flatMap(({ ref, new: tip }) => {
    const short = tip === zeroId ? undefined : shortNameOf(ref)
    return short?.kind === 'branch' && short.name !== project.default_branch ? [{ name: short.name, tip }] : []
  })
  const isOn = allows(ctx.actor, 'create_merge_request', projectSubject(project)) === 'yes'
  if (!isOn || project.default_branch === null || branches.length > MOST_BRANCHES) return []
  const lines: string[] = []
  const named = asked.get('target_project')?.at(-1)
  const place = named ? await projectAllowing(ctx, named, 'read_merge_request') : project
  // Never fall back to another project than the one that was named.
  if (!place) return ['', 'WARNING: the project that the merge request is to go to was not found.', '']
  for (const { name, tip } of branches) {
    const target = asked.get('target')?.at(-1) || place.default_branch || project.default_branch
    if (asked.size > 0) lines.push(...(await applyOptions(ctx, project, place, { name, tip, target }, asked)))
    lines.push(...(await linkFor(ctx, project, place, name, target)))
  }
  return lines
}

const openFrom = ({ db }: Context, source: ProjectWithRole, place: ProjectWithRole, branch: string, target: string) =>
  db
    .selectFrom('merge_requests')
    .select(['id', 'iid'])
    .where('project_id', '=', place.id)
    .where('source_project_id', '=', source.id)
    .where('source_branch', '=', branch)
    .where('target_branch', '=', target)
    .where('state', '=', 'opened')
    .executeTakeFirst()

interface Pushed {
  readonly name: string
  readonly tip: string
  readonly target: string
}

/** Creates the merge request, or changes the open one. */
async function applyOptions(
  ctx: Context,
  project: ProjectWithRole,
  place: ProjectWithRole,
  { name, tip, target }: Pushed,
  asked: Map<string, string[]>,
): Promise<string[]> {
  const last = (option: string) => asked.get(option)?.at(-1)
  try {
    const open = await openFrom(ctx, project, place, name, target)
    if (!open && !asked.has('create')) return []
    const milestone = last('milestone')
    const milestone_id = milestone && (await milestoneNamed({ ctx, place }, `%"${milestone.replaceAll('"', '')}"`))
    const description = last('description')?.replaceAll('\\n', '\n')
    const given = {
      ...(description !== undefined && { description }),
      ...(asked.has('remove_source_branch') && { remove_source_branch: true }),
      ...(milestone_id && { milestone_id }),
    }
    const [more, fewer] = [await peopleIn(ctx, asked.get('assign')), await peopleIn(ctx, asked.get('unassign'))]
    const labels = { add_labels: asked.get('label'), remove_labels: asked.get('unlabel') }
    if (open) {
      const title = last('title')
      await transact(ctx.db, async db => {
        const now = (await mergeRequestById(db, open.id, place.full_path)) as MergeRequestRow
        const assignee_ids = [...new Set([...now.assignee_ids, ...more])].filter(id => !fewer.includes(id))
        const people = more.length + fewer.length > 0 ? { assignee_ids } : {}
        const changes = permitted(ctx, place, { ...given, ...labels, ...people, ...(title && { title }) })
        await updateMergeRequestWithQuickActions({ ...ctx, db }, place, now, changes)
      })
      if (asked.has(AUTO_MERGE)) await mergeByItself(ctx, place, open.id)
    } else {
      const commit = await readCommit(ctx.deps.storages.repository(project), tip)
      const title = last('title') || commit?.title || name
      const draft = asked.has('draft') && !/^draft:/i.test(title)
      const made = { ...given, title: draft ? `Draft: ${title}` : title, labels: asked.get('label') }
      const people = { assignee_ids: more.filter(id => !fewer.includes(id)) }
      const attributes = permitted(ctx, place, { ...made, ...people, source_branch: name, target_branch: target })
      const { id } = await createMergeRequestWithQuickActions(ctx, await endsFrom(ctx, project, place.id), attributes)
      if (asked.has(AUTO_MERGE)) await mergeByItself(ctx, place, id)
    }
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ['', `WARNING: the merge request could not be made as asked for: ${error.message}`]
  }
}

/** Ids of the users given by username or id. */
async function peopleIn({ db }: Context, named: readonly string[] = []): Promise<number[]> {
  const people = await Promise.all(named.map(who => findActingUser(db, who.replace(/^@/, ''))))
  return people.flatMap(person => person?.id ?? [])
}

/** Sets the automatic merge if the user who pushes may merge. */
async function mergeByItself(ctx: Context, place: ProjectWithRole, id: number): Promise<void> {
  await refreshMergeRequest(ctx, id)
  await transact(ctx.db, async db => {
    const row = await mergeRequestById(db, id, place.full_path)
    if (row?.state !== 'opened' || !(await branchRights({ ...ctx, db }, place)).mayMerge(row.target_branch)) return
    await autoMergeOn({ ...ctx, db }, row, {})
  })
}

/** Lines with the URL of the merge request, or of the page to create one (document 3 `printing_merge_request_link_enabled`). */
async function linkFor(ctx: Context, project: ProjectWithRole, place: ProjectWithRole, branch: string, target: string): Promise<string[]> {
  if (!project.printing_merge_request_link_enabled) return []
  const open = await openFrom(ctx, project, place, branch, target)
  const base = `${ctx.url}/${project.full_path}/-/merge_requests`
  return open
    ? ['', `View merge request for ${branch}:`, `  ${ctx.url}/${place.full_path}/-/merge_requests/${open.iid}`, '']
    : [
        '',
        `To create a merge request for ${branch}, visit:`,
        `  ${base}/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`,
        '',
      ]
}
