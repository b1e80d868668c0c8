/** The head of a commit's page. */
import type { Commit } from '../../../platform/git/index.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { commitPage, revisionPage } from '../addresses.ts'

interface ShownCommit {
  readonly project: { readonly full_path: string }
  readonly commit: Commit
  /** May the caller commit to branches of the project? */
  readonly mayPush: boolean
}

export function commitFacts({ project, commit, mayPush }: ShownCommit): Html {
  const { id, title, message, author, committer, parent_ids } = commit
  const more = message.slice(title.length).trim()
  const page = commitPage(project, id)
  const isSame = author.name === committer.name && author.email === committer.email
  return html`<div class="heading"><h1>${title || 'No message'}</h1><div class="row"><a class="btn btn-sm" href="${revisionPage(project, 'tree', id)}">Browse files</a>${mayPush && html`<a class="btn btn-sm" href="${page}/revert">Revert</a><a class="btn btn-sm" href="${page}/cherry_pick">Cherry-pick</a>`}</div></div>
${more !== '' && html`<pre class="message">${more}</pre>`}
<dl class="facts-list section"><dt>Commit</dt><dd class="row"><span class="mono">${id}</span>${copyButton('Copy the id of the commit', id)}</dd>
<dt>Author</dt><dd>${author.name} <span class="muted">${time(author.date)}</span></dd>
${!isSame && html`<dt>Committer</dt><dd>${committer.name} <span class="muted">${time(committer.date)}</span></dd>`}
<dt>${parent_ids.length === 1 ? 'Parent' : 'Parents'}</dt><dd>${parent_ids.length === 0 ? 'none' : parent_ids.map(parent => html`<a class="mono" href="${commitPage(project, parent)}">${parent.slice(0, 8)}</a> `)}</dd></dl>`
}
