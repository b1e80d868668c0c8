/** What says which changes of a merge request are shown, and leads to others. Pure. */
import type { Commit } from '../../../platform/git/index.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { VersionRow } from '../../../review/merge_requests/versions/entity.ts'
import type { ShownSpan } from './span.ts'

export interface SpanView {
  readonly span: ShownSpan
  /** The page of the changes, without a query. */
  readonly address: string
  readonly targetBranch: string
  /** The version that the caller saw before the latest one. */
  readonly lastLook: VersionRow | undefined
  /** What the address says of white space. */
  readonly w: boolean | undefined
}

export function spanView(view: SpanView): Html {
  const { span } = view
  if (span.commit) return commitView(view, span.commit)
  return html`<div class="row apart diff-span"><div class="row">${versionForm(view)}${lastLookLink(view)}</div>${commitMenu(view)}</div>${comparedNote(view)}`
}

/** `1` for the oldest of the versions. */
const numberOf = ({ versions }: ShownSpan, version: VersionRow): number => versions.length - versions.indexOf(version)

function versionForm({ span, address, targetBranch, w }: SpanView): Html | undefined {
  const { versions, version, start } = span
  if (versions.length < 2) return undefined
  const option = (value: string | number, is: boolean, words: string) =>
    html`<option value="${value}"${is && html` selected`}>${words}</option>`
  const name = (of: VersionRow) =>
    `Version ${numberOf(span, of)}${of === versions[0] ? ' (latest)' : ''}, ${of.head_commit_sha.slice(0, 8)}`
  return html`<form class="row" action="${address}"><label class="small" for="start_sha">From</label><select class="form-select select-sm" id="start_sha" name="start_sha">${option('', !start, targetBranch)}${versions.map(of => option(of.head_commit_sha, of === start, name(of)))}</select><label class="small" for="diff_id">to</label><select class="form-select select-sm" id="diff_id" name="diff_id">${versions.map(of => option(of.id, of === version, name(of)))}</select>${w !== undefined && html`<input type="hidden" name="w" value="${w ? 1 : 0}">`}<button class="btn btn-sm">Compare</button></form>`
}

/** Leads to what came since the version that the caller saw last. */
function lastLookLink({ span, address, lastLook }: SpanView): Html | undefined {
  if (!lastLook || lastLook === span.versions[0]) return undefined
  const isShown = span.isLatest && span.start === lastLook
  return html`<a class="btn btn-sm" href="${address}?start_sha=${lastLook.head_commit_sha}"${isShown && html` aria-current="true"`}>${icon('history')} Since my last look</a>`
}

function comparedNote({ span, address }: SpanView): Html | undefined {
  const { version, start, rebased } = span
  if (!version || (!start && span.isLatest)) return undefined
  const says = start
    ? html`What changed between version ${numberOf(span, start)}, of ${time(start.created_at)}, and version ${numberOf(span, version)}.${rebased === 'left_out' && ' What came with the target branch is left out.'}${rebased === 'shown' && ' It was rebased meanwhile: what came with the target branch is among it.'}`
    : html`Version ${numberOf(span, version)}, of ${time(version.created_at)}.`
  return html`<p class="note">${says} <a href="${address}">Show all changes of the latest version</a></p>`
}

const commitHref = (address: string, { id }: Commit): string => `${address}?commit_id=${id}`

function commitMenu({ span: { commits }, address }: SpanView): Html | undefined {
  if (commits.length < 2) return undefined
  return html`<details class="menu"><summary class="btn btn-sm">${icon('git-commit')} Commit by commit ${icon('triangle-down')}</summary><div class="menu-items">${commits.map(commit => html`<a href="${commitHref(address, commit)}"><span class="mono muted">${commit.id.slice(0, 8)}</span><span class="truncate">${commit.title}</span></a>`)}</div></details>`
}

/** One commit, with the ways to the one before and after it. */
function commitView({ span: { commits }, address }: SpanView, commit: Commit): Html {
  const at = commits.indexOf(commit)
  const step = (to: Commit | undefined, words: string, rel: string, key: string) =>
    to
      ? html`<a class="btn btn-sm" href="${commitHref(address, to)}" rel="${rel}" data-hotkey="${key}">${words}</a>`
      : html`<span class="btn btn-sm" aria-disabled="true">${words}</span>`
  const rest = commit.message.slice(commit.title.length).trim()
  return html`<section class="panel diff-span commit" aria-label="Commit"><header class="row apart"><div><div class="muted small">Commit ${at + 1} of ${commits.length} <span class="mono">${commit.id.slice(0, 8)}</span>, ${commit.author.name}, ${time(commit.committer.date)}</div><h2>${commit.title}</h2></div><div class="row">${step(commits[at - 1], 'Previous', 'prev', 'c p')}${step(commits[at + 1], 'Next', 'next', 'c n')}<a class="btn btn-sm" href="${address}">All changes</a></div></header>${rest !== '' && html`<pre class="message body">${rest}</pre>`}</section>`
}
