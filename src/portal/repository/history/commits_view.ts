/** The view of a list of commits (the JSON of the commits API becomes HTML). */
import type { PipelineRow } from '../../../ci/pipelines/queries.ts'
import type { Commit } from '../../../platform/git/index.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pipelineChip } from '../../pipelines/status_view.ts'
import { commitPage, revisionPage } from '../addresses.ts'
import { type Accounts, personView } from './people.ts'
import { marksFrame, signedMark } from './signatures/signature_view.ts'

/** The fields of a commit that a list shows. */
export interface ListedCommit {
  readonly id: string
  readonly title: string
  readonly message: string
  readonly author_name: string
  readonly author_email: string
  readonly committed_date: string
}

/** What the list shows besides the commits. */
export interface CommitsView {
  readonly project: { readonly full_path: string }
  readonly accounts: Accounts
  /** The newest pipeline of each commit, by its id. */
  readonly pipelines: ReadonlyMap<string, PipelineRow>
  /** The ids of those that are signed: their marks come after the page. */
  readonly signed: ReadonlySet<string>
}

/** Characters of a message that are shown. */
const MOST_SHOWN = 50_000

/** A message without its title, cut where it is very long. */
export function restOf(message: string, title: string): string {
  const rest = message.slice(title.length, title.length + MOST_SHOWN).trim()
  return message.length > title.length + MOST_SHOWN ? `${rest}…` : rest
}

/** Commits, newest first, under the day on which they were committed. */
export function commitList(view: CommitsView, commits: readonly ListedCommit[]): Html {
  const days = Map.groupBy(commits, ({ committed_date }) => committed_date.slice(0, 10))
  return html`${[...days].map(([day, ofDay]) => html`<section class="section"><h2 class="day">${day}</h2><ul class="list" data-list>${ofDay.map(commit => commitItem(view, commit))}</ul></section>`)}${marksFrame(view.project, [...view.signed])}`
}

/** The ids of signed commits. */
export const signedAmong = (commits: readonly Commit[]): ReadonlySet<string> =>
  new Set(commits.filter(({ is_signed }) => is_signed).map(({ id }) => id))

function commitItem({ project, accounts, pipelines, signed }: CommitsView, commit: ListedCommit): Html {
  const { id, title, message, author_name, author_email, committed_date } = commit
  const more = restOf(message, title)
  const pipeline = pipelines.get(id)
  return html`<li>${icon('git-commit')}<div class="main"><div class="title"><a href="${commitPage(project, id)}">${title || 'No message'}</a></div><div class="facts">${personView(accounts, { name: author_name, email: author_email })}<span>committed ${time(committed_date)}</span></div>${more !== '' && html`<details><summary class="small muted">More</summary><pre class="message">${more}</pre></details>`}</div>
<div class="row">${signed.has(id) && signedMark(project, id)}${pipeline && pipelineChip(pipeline)}<a class="mono" href="${commitPage(project, id)}" aria-label="Commit ${id.slice(0, 8)}">${id.slice(0, 8)}</a>${copyButton('Copy the id of the commit', id)}<a class="bar-button" href="${revisionPage(project, 'tree', id)}" aria-label="Files at this commit" title="Files at this commit">${icon('code')}</a></div></li>`
}
