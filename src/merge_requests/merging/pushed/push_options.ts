/**
 * What a push says of merge requests: the options that it comes with make or change one (`git push -o merge_request.create`), and
 * its answer names the address of the one there is, or where one can be made (push options of the public platform at 14.0).
 */
import { allows } from '../../../access/abilities.ts'
import { findActingUser } from '../../../access/credentials.ts'
import { transact } from '../../../db/transact.ts'
import { readCommit } from '../../../git/objects/objects.ts'
import { zeroId } from '../../../git/objects/oid.ts'
import { shortNameOf } from '../../../git/refs/names.ts'
import type { RefMove } from '../../../git/refs/update.ts'
import type { Context } from '../../../kernel/context.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../../../projects/scope.ts'
import { createMergeRequest } from '../../create.ts'
import { updateMergeRequest } from '../../update.ts'

/** Branches of one push that something is said of. */
const MOST_BRANCHES = 3

const PREFIX = 'merge_request.'

/** The options that are about merge requests, by name; a name without a value has an empty one. */
export function mergeRequestOptions(options: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const option of options) {
    if (!option.startsWith(PREFIX)) continue
    const [name, ...value] = option.slice(PREFIX.length).split('=')
    found.set(name as string, [...(found.get(name as string) ?? []), value.join('=')])
  }
  return found
}

/** Does what the options ask for, and answers the lines that the client is shown. What is refused is one of them. */
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
  for (const { name, tip } of branches) {
    const target = asked.get('target')?.at(-1) || project.default_branch
    if (asked.size > 0) lines.push(...(await heed(ctx, project, { name, tip, target }, asked)))
    lines.push(...(await linkFor(ctx, project, name, target)))
  }
  return lines
}

const openFrom = ({ db }: Context, { id }: ProjectWithRole, branch: string, target: string) =>
  db
    .selectFrom('merge_requests')
    .select(['id', 'iid'])
    .where('project_id', '=', id)
    .where('source_project_id', '=', id)
    .where('source_branch', '=', branch)
    .where('target_branch', '=', target)
    .where('state', '=', 'opened')
    .executeTakeFirst()

interface Pushed {
  readonly name: string
  readonly tip: string
  readonly target: string
}

/** Makes the merge request, or changes the one that is open. */
async function heed(
  ctx: Context,
  project: ProjectWithRole,
  { name, tip, target }: Pushed,
  asked: Map<string, string[]>,
): Promise<string[]> {
  const last = (option: string) => asked.get(option)?.at(-1)
  try {
    const open = await openFrom(ctx, project, name, target)
    if (!open && !asked.has('create')) return []
    const people = await Promise.all((asked.get('assign') ?? []).map(who => findActingUser(ctx.db, who.replace(/^@/, ''))))
    const description = last('description')?.replaceAll('\\n', '\n')
    const given = {
      ...(description !== undefined && { description }),
      ...(asked.has('remove_source_branch') && { remove_source_branch: true }),
      ...(people.length > 0 && { assignee_ids: people.flatMap(person => person?.id ?? []) }),
    }
    const labels = { add_labels: asked.get('label'), remove_labels: asked.get('unlabel') }
    if (open) {
      const title = last('title')
      const changes = { ...given, ...labels, ...(title && { title }) }
      await transact(ctx.db, db => updateMergeRequest({ ...ctx, db }, project, open, changes))
    } else {
      const commit = await readCommit(ctx.deps.storages.repository(project), tip)
      const title = last('title') || commit?.title || name
      const draft = asked.has('draft') && !/^draft:/i.test(title)
      const made = { ...given, title: draft ? `Draft: ${title}` : title, labels: asked.get('label') }
      await createMergeRequest(ctx, { source: project, target: project }, { ...made, source_branch: name, target_branch: target })
    }
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ['', `WARNING: the merge request could not be made as asked for: ${error.message}`]
  }
}

/** Where the merge request is, or can be made (document 3 `printing_merge_request_link_enabled`). */
async function linkFor(ctx: Context, project: ProjectWithRole, branch: string, target: string): Promise<string[]> {
  if (!project.printing_merge_request_link_enabled) return []
  const open = await openFrom(ctx, project, branch, target)
  const base = `${ctx.url}/${project.full_path}/-/merge_requests`
  return open
    ? ['', `View merge request for ${branch}:`, `  ${base}/${open.iid}`, '']
    : [
        '',
        `To create a merge request for ${branch}, visit:`,
        `  ${base}/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`,
        '',
      ]
}
