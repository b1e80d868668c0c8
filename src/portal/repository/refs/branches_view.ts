/** The view of a list of branches (the JSON of the branches API becomes HTML). */
import type { Divergence } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { newMergeRequestPath } from '../../merge_requests/scope.ts'
import { archivePath, commitPage, comparePage, revisionPage } from '../addresses.ts'

/** The fields of a branch that the list shows. */
export interface ListedBranch {
  readonly name: string
  readonly commit: { readonly id: string; readonly title: string; readonly author_name: string; readonly committed_date: string }
  readonly merged: boolean
  readonly protected: boolean
  readonly default: boolean
}

/** What the view needs of the project and the caller. */
export interface BranchesView {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly project: { readonly full_path: string; readonly default_branch: string | null }
  readonly divergences: ReadonlyMap<string, Divergence>
  /** May the caller open merge requests? */
  readonly mayPropose: boolean
  /** May the caller delete this branch? */
  readonly mayDelete: (branch: ListedBranch) => boolean
  /** May the caller protect branches, and change their protections? */
  readonly mayProtect: boolean
}

export const branchList = (view: BranchesView, branches: readonly ListedBranch[]): Html =>
  html`<ul class="list" data-list>${branches.map(branch => branchItem(view, branch))}</ul>`

function branchItem({ ctx, project, divergences, mayPropose, mayDelete, mayProtect }: BranchesView, branch: ListedBranch): Html {
  const { name, commit } = branch
  const divergence = divergences.get(commit.id)
  const base = project.default_branch
  return html`<li>${icon('git-branch')}<div class="main"><div class="title row"><a class="mono" href="${revisionPage(project, 'tree', name)}">${name}</a> ${copyButton(`Copy the name ${name}`, name)} ${branch.default && chip('Default', 'accent')} ${branch.protected && protectedChip(project, mayProtect)} ${branch.merged && chip('Merged', 'done', 'git-merge')}</div>
<div class="facts"><a class="mono" href="${commitPage(project, commit.id)}">${commit.id.slice(0, 8)}</a><span>${commit.title}</span><span>${commit.author_name}</span>${time(commit.committed_date)}</div></div>
${!branch.default && divergence && distance(divergence, base ?? '')}
<div class="row">${mayPropose && !branch.default && !branch.merged && html`<a class="btn btn-sm" href="${newMergeRequestPath(project, name)}">Merge request<span class="sr-only"> of ${name}</span></a>`}${!branch.default && base !== null && html`<a class="btn btn-sm" href="${comparePage(project, base, name)}">Compare<span class="sr-only"> ${name}</span></a>`}${mayProtect && !branch.protected && html`<a class="btn btn-sm" href="${projectPath(project, `/-/settings/protected_branches/new?${new URLSearchParams({ name })}`)}">Protect<span class="sr-only"> ${name}</span></a>`}<a class="bar-button" href="${archivePath(project, name, 'zip')}" data-turbo="false" download aria-label="Download ${name} as zip" title="Download as zip">${icon('download')}</a>${mayDelete(branch) && actionButton(ctx, { to: projectPath(project, `/-/branches/${encodeURIComponent(name)}/delete`), face: icon('trash'), look: 'bare', label: `Delete ${name}`, asks: `Delete the branch ${name}?` })}</div></li>`
}

/** It leads to the rules for those who may change them. */
function protectedChip(project: BranchesView['project'], mayProtect: boolean): Html {
  const face = chip('Protected', 'plain', 'lock')
  return mayProtect ? html`<a href="${projectPath(project, '/-/settings/protected_branches')}">${face}</a>` : face
}

/** Commits behind and ahead, as bars around a middle and as words. */
function distance({ ahead, behind }: Divergence, base: string): Html {
  // By order of size: one commit must be seen beside a thousand.
  const width = (count: number) => Math.min(38, Math.round(Math.log2(count + 1) * 6))
  return html`<div class="distance" title="${behind} behind and ${ahead} ahead of ${base}"><svg width="80" height="6" aria-hidden="true"><rect class="behind" x="${39 - width(behind)}" width="${width(behind)}" height="6"/><rect class="ahead" x="41" width="${width(ahead)}" height="6"/></svg><span class="small muted">${behind} behind, ${ahead} ahead</span></div>`
}
