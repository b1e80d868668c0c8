/** The branches of a merge request that is to be opened, and what it would bring: read without making anything. */
import { areInOneNetwork } from '../../../code/forks/queries.ts'
import { ownTemplatesOf } from '../../../code/templates/scope.ts'
import { visibleIssue } from '../../../planning/issues/queries.ts'
import {
  type Commit,
  comparisonBase,
  countCommits,
  listCommitIds,
  listCommits,
  type ObjectId,
  objectInfo,
  type Repository,
} from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Values } from '../../../platform/pages/forms/form.ts'
import { secondOf } from '../../../review/merge_requests/changes/branches.ts'
import { tipsIn } from '../../../review/merge_requests/merging/tips.ts'
import { forkSourcesOf } from '../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectAllowing } from '../../../spaces/projects/scope.ts'

export type Caller = Context & { readonly project: ProjectWithRole }

/** Commits that are listed, and commits of a target that a fork is compared with. */
const MOST_COMMITS = 100
const MOST_SEARCHED = 1_000

/** The branches by name, as an address or a form has them. */
export interface Names {
  readonly source_branch: string
  readonly target_branch: string
  /** Undefined for the project itself. */
  readonly target_project_id: number | undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** What an address gives: `?merge_request[source_branch]=…`, or the same without the brackets. */
export function givenIn(address: string): (name: string) => string | undefined {
  const given = new URLSearchParams(address.split('?', 2)[1] ?? '')
  return name => given.get(`merge_request[${name}]`) ?? given.get(name) ?? undefined
}

/** The branches that a form sent, or that its address gives. A fork's commits go to the project that it was forked from. */
export async function namesOf(ctx: Caller, sent?: Values): Promise<Names> {
  const { project, request } = ctx
  const given = sent ? (name: string) => textOf(sent[name]) || undefined : givenIn(request.address)
  const upstream = (await forkSourcesOf(ctx.db, ctx.actor, [project.id])).get(project.id)
  const id = Number(given('target_project_id') ?? upstream?.id ?? project.id)
  const target_project_id = Number.isSafeInteger(id) && id !== project.id ? id : undefined
  return {
    source_branch: given('source_branch') ?? '',
    target_branch:
      given('target_branch') ?? (target_project_id === upstream?.id ? upstream?.default_branch : undefined) ?? project.default_branch ?? '',
    target_project_id,
  }
}

/**
 * The project that the branch goes to: itself, or another one of its fork network in which the caller may open merge requests. Undefined for any
 * other: its branches, labels and templates are none of theirs.
 */
export async function targetOf(ctx: Caller, { target_project_id }: Names): Promise<ProjectWithRole | undefined> {
  const { project, db } = ctx
  if (target_project_id === undefined) return project
  const target = await projectAllowing(ctx, String(target_project_id), 'create_merge_request')
  return target && (await areInOneNetwork(db, project.id, target.id)) ? target : undefined
}

/** What a merge request of two branches would bring. */
export interface Proposal {
  readonly names: Names
  readonly target: ProjectWithRole
  /** The number of an open merge request of the same branches. */
  readonly existing: number | undefined
  readonly repository: Repository
  readonly head: ObjectId
  /** Where the source has parted from the target. */
  readonly base: ObjectId
  /** The newest first, and how many there are. */
  readonly commits: readonly Commit[]
  readonly count: number
}

/** Why there is none. */
export type NoProposal = 'no_source' | 'source_missing' | 'target_missing' | 'same'

/** Asked for by several parts of one page: read once for a request. */
const known = new WeakMap<object, Map<string, Promise<Proposal | NoProposal>>>()

export async function proposalOf(ctx: Caller, sent?: Values): Promise<Proposal | NoProposal> {
  const names = await namesOf(ctx, sent)
  const ofRequest = known.get(ctx.request) ?? new Map<string, Promise<Proposal | NoProposal>>()
  known.set(ctx.request, ofRequest)
  const key = JSON.stringify(names)
  const found = ofRequest.get(key) ?? readProposal(ctx, names)
  ofRequest.set(key, found)
  return found
}

async function readProposal(ctx: Caller, names: Names): Promise<Proposal | NoProposal> {
  const { project, db, deps } = ctx
  const { source_branch, target_branch } = names
  if (source_branch === '') return 'no_source'
  const target = await targetOf(ctx, names)
  if (!target) return 'target_missing'
  if (target.id === project.id && source_branch === target_branch) return 'same'
  const tips = await tipsIn(deps.storages, { source: project, target }, names)
  if (!tips.source || tips.head === undefined) return 'source_missing'
  if (!tips.target || tips.start === undefined) return 'target_missing'
  const { source: repository, head } = tips
  const [start, existing] = await Promise.all([
    commonStart(repository, tips.target, tips.start),
    secondOf(db, { source: project, target }, names),
  ])
  const range = { from: [head], except: start === undefined ? [] : [start] }
  const [base, commits] = await Promise.all([
    start === undefined ? undefined : comparisonBase(repository, start, head),
    listCommits(repository, { ...range, limit: MOST_COMMITS }),
  ])
  const count = commits.length < MOST_COMMITS ? commits.length : await countCommits(repository, range, 10_000)
  return { names, target, existing, repository, head, base: base ?? start ?? head, commits, count }
}

/** The newest commit of the target branch that the source's repository has: a fork lacks what was added since it was brought up to date. */
async function commonStart(source: Repository, target: Repository, tip: ObjectId): Promise<ObjectId | undefined> {
  if (source.path === target.path) return tip
  const ids = await listCommitIds(target, { from: [tip], limit: MOST_SEARCHED })
  const infos = await objectInfo(source, ids)
  return ids.find((_, index) => infos[index]?.type === 'commit')
}

/** Title and description that a form begins with. */
export async function wordsOf(ctx: Caller, proposal: Proposal): Promise<{ readonly title: string; readonly description: string }> {
  const given = givenIn(ctx.request.address)
  const { names, target, commits, count } = proposal
  const [only] = commits
  const asked = given('issuable_template')
  const iid = Number(/^(?:.*\/)?(\d{1,9})-/.exec(names.source_branch)?.[1])
  const [issue, template] = await Promise.all([
    Number.isSafeInteger(iid) && iid > 0 ? visibleIssue(ctx.db, ctx.actor, target, iid) : undefined,
    // Public behaviour: the text of the settings goes before the repository's default template.
    (asked === undefined && target.merge_requests_template) || templateNamed(ctx, target, asked ?? 'Default'),
  ])
  const title = count === 1 && only ? only.title : issue ? `Resolve "${issue.title}"` : titleOf(names.source_branch)
  const text = template || (count === 1 && only ? bodyOf(only) : '')
  const closes = issue && !text.includes(`#${issue.iid}`) ? `Closes #${issue.iid}` : ''
  return {
    title: given('title') ?? title,
    description: given('description') ?? [text.trimEnd(), closes].filter(part => part !== '').join('\n\n'),
  }
}

/** The text of a template of the target's repository, if the caller may read it; empty where there is none. */
async function templateNamed(ctx: Context, project: ProjectWithRole, name: string): Promise<string> {
  const found = await ownTemplatesOf(ctx, project, 'merge_requests').find(name)
  return found && 'content' in found ? found.content : ''
}

/** `feature/12-paint-the-shed` as `Paint the shed`. */
export function titleOf(branch: string): string {
  const words = (branch.split('/').at(-1) ?? '').replace(/^\d+-/, '').replace(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a commit says after its first paragraph. */
const bodyOf = ({ message }: Commit): string => message.trim().split('\n\n').slice(1).join('\n\n')
