/** A branch as JSON (branches API at 14.0). */
import Type from 'typebox'
import { type Commit, heldBy, mergedBranches, type Repository, readRefs, requireCommits } from '../../../platform/git/index.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { described, flag, text } from '../../../platform/kernel/declaration/types.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import type { BranchRights } from '../../protected_branches/branch_rights.ts'
import { branchRights } from '../../protected_branches/rights.ts'
import { commitSchema, presentCommit } from '../commits/entity.ts'

/** A branch with its repository and tip. */
export interface BranchRow {
  /** Without `refs/heads/`. */
  readonly name: string
  /** The id of its tip. */
  readonly commit: string
  readonly project: ProjectWithRole
  readonly repository: Repository
}

interface Loaded {
  readonly commits: ReadonlyMap<string, Commit>
  readonly merged: ReadonlySet<string>
  readonly rights: BranchRights
}

async function load(ctx: Context, rows: readonly BranchRow[]): Promise<Loaded> {
  const { project, repository } = rows[0] as BranchRow
  const [commits, merged, rights] = await Promise.all([
    requireCommits(
      repository,
      rows.map(row => row.commit),
    ),
    mergedInto(repository, project.default_branch, rows),
    branchRights(ctx, project),
  ])
  return { commits: new Map(commits.map(commit => [commit.id, commit])), merged, rights }
}

/** Which of these branches the default branch contains; one at the same commit does not count as merged. One process, or none. */
export async function mergedInto(
  repository: Repository,
  defaultBranch: string | null,
  branches: readonly { readonly name: string; readonly commit: string }[],
): Promise<ReadonlySet<string>> {
  const [tip] = defaultBranch === null ? [] : await readRefs(repository, [`refs/heads/${defaultBranch}`])
  if (tip === undefined) return new Set()
  const others = branches.filter(({ commit }) => commit !== tip)
  const held = await heldBy(
    repository,
    others.map(({ commit }) => commit),
    tip,
  )
  const merged = held && others.filter(({ commit }) => held.has(commit)).map(({ name }) => name)
  return merged
    ? new Set(merged)
    : mergedBranches(
        repository,
        others.map(({ name }) => name),
        tip,
      )
}

export const Branch = entity({
  name: 'Branch',
  schema: Type.Object({
    name: text('Name of the branch'),
    commit: described('The newest commit', commitSchema),
    merged: flag('Whether it is merged into the default branch'),
    protected: flag('Whether the branch is protected'),
    developers_can_push: flag('Whether Developers may push to the branch'),
    developers_can_merge: flag('Whether Developers may merge into the branch'),
    can_push: flag('Whether the caller may push'),
    default: flag('Whether it is the default branch'),
    web_url: text('Address of the page for people'),
  }),
  load,
  present: ({ name, commit, project }: BranchRow, { commits, merged, rights }, facts) => ({
    name,
    commit: presentCommit(commits.get(commit) as Commit, project, facts),
    merged: merged.has(name),
    protected: rights.isProtected(name),
    developers_can_push: rights.developersMay('push', name),
    developers_can_merge: rights.developersMay('merge', name),
    can_push: rights.mayPush(name),
    default: name === project.default_branch,
    web_url: `${facts.url}/${project.full_path}/-/tree/${name}`,
  }),
})
