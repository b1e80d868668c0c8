/** The head of a commit's page. */
import type { PipelineRow } from '../../../ci/pipelines/queries.ts'
import type { Commit } from '../../../platform/git/index.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pipelineChip } from '../../pipelines/status_view.ts'
import { commitPage, revisionPage } from '../addresses.ts'
import { restOf } from './commits_view.ts'
import { type Accounts, personView } from './people.ts'
import { SIGNATURE_FRAME, signaturePage } from './signatures/signature_view.ts'

interface ShownCommit {
  readonly project: { readonly full_path: string }
  readonly commit: Commit
  readonly accounts: Accounts
  readonly pipelines: readonly PipelineRow[]
  /** May the caller commit to branches of the project? */
  readonly mayPush: boolean
}

export function commitFacts({ project, commit, accounts, pipelines, mayPush }: ShownCommit): Html {
  const { id, title, message, author, committer, parent_ids, is_signed } = commit
  const more = restOf(message, title)
  const page = commitPage(project, id)
  const isSame = author.name === committer.name && author.email === committer.email
  return html`<div class="heading"><h1>${title || 'No message'}</h1><div class="row"><a class="btn btn-sm" href="${revisionPage(project, 'tree', id)}">Browse files</a><a class="btn btn-sm" href="${page}.patch" data-turbo="false">Patch</a><a class="btn btn-sm" href="${page}.diff" data-turbo="false">Plain diff</a>${mayPush && html`<a class="btn btn-sm" href="${page}/revert">Revert</a><a class="btn btn-sm" href="${page}/cherry_pick">Cherry-pick</a>`}</div></div>
${more !== '' && html`<pre class="message">${more}</pre>`}
<dl class="facts-list section"><dt>Commit</dt><dd class="row"><span class="mono">${id}</span>${copyButton('Copy the id of the commit', id)}</dd>
<dt>Author</dt><dd>${personView(accounts, author)} <span class="muted">${time(author.date)}</span></dd>
${!isSame && html`<dt>Committer</dt><dd>${personView(accounts, committer)} <span class="muted">${time(committer.date)}</span></dd>`}
${is_signed && html`<dt>Signature</dt><dd><turbo-frame id="${SIGNATURE_FRAME}" src="${signaturePage(project, id)}" loading="lazy" target="_top"><a href="${signaturePage(project, id)}">Signed</a></turbo-frame></dd>`}
<dt>${parent_ids.length === 1 ? 'Parent' : 'Parents'}</dt><dd>${parent_ids.length === 0 ? 'none' : parent_ids.map(parent => html`<a class="mono" href="${commitPage(project, parent)}">${parent.slice(0, 8)}</a> `)}</dd>
${pipelines.length > 0 && html`<dt>Pipelines</dt><dd class="row">${pipelines.map(pipelineChip)}</dd>`}
<dt>Part of</dt><dd><turbo-frame id="commit-refs" src="${page}/refs" loading="lazy" target="_top"><a href="${page}/refs">Branches and tags</a></turbo-frame></dd></dl>`
}

/** The branches and tags whose history holds a commit. */
export interface ContainingRefs {
  readonly project: { readonly full_path: string }
  readonly refs: readonly { readonly type: 'branch' | 'tag'; readonly name: string }[]
  /** There are more. */
  readonly isCut: boolean
}

export const containingRefs = ({ project, refs, isCut }: ContainingRefs): Html =>
  html`<turbo-frame id="commit-refs">${refs.length === 0 ? 'no branch or tag' : html`<ul class="plain-list row">${refs.map(({ type, name }) => html`<li><a class="chip" href="${revisionPage(project, 'tree', name)}">${icon(type === 'tag' ? 'tag' : 'git-branch', type)}${name}</a></li>`)}${isCut && html`<li class="muted">and more</li>`}</ul>`}</turbo-frame>`
