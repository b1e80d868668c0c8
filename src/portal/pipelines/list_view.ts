/** Pipelines in lists. Pure. */
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { pipelineSources } from '../../ci/pipelines/sources.ts'
import { jobMachine } from '../../ci/states.ts'
import type { Commit } from '../../platform/git/index.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FilterKey } from '../items/filter_text.ts'
import { commitPage, revisionPage } from '../repository/addresses.ts'
import { pipelinePath } from './scope.ts'
import { statusChip } from './status_view.ts'

type Project = { readonly full_path: string }

/** What made a pipeline, in words. */
const sources: Readonly<Record<string, string>> = {
  push: 'by a push',
  web: 'in the browser',
  trigger: 'by a trigger',
  schedule: 'by a schedule',
  api: 'by the API',
  pipeline: 'by a pipeline of another project',
  parent_pipeline: 'by its parent',
  merge_request_event: 'for a merge request',
  external: 'by another program',
}

export const sourceText = (source: string): string => sources[source] ?? `by ${source.replaceAll('_', ' ')}`

/** The reference of a pipeline: a link to its files, or to the merge request that it is of. */
export function refView(project: Project, { ref, tag }: Pick<PipelineRow, 'ref' | 'tag'>): Html {
  const iid = /^refs\/merge-requests\/(\d+)\//.exec(ref)?.[1]
  return iid === undefined
    ? html`${icon(tag ? 'tag' : 'git-branch', tag ? 'Tag' : 'Branch')} <a class="mono" href="${revisionPage(project, 'tree', ref)}">${ref}</a>`
    : html`${icon('git-pull-request', 'Merge request')} <a href="/${project.full_path}/-/merge_requests/${iid}">!${iid}</a>`
}

/** The id of a commit, as a link while git has it. */
export const commitView = (project: Project, sha: string, commit: Commit | undefined): Html =>
  commit
    ? html`<a class="mono" href="${commitPage(project, sha)}">${sha.slice(0, 8)}</a>`
    : html`<span class="mono">${sha.slice(0, 8)}</span>`

/** The filters of pipelines, each with the API's own parameter. */
export const pipelineFilterKeys: readonly FilterKey[] = [
  { key: 'status', param: 'status', says: 'is in the state', values: jobMachine.states },
  { key: 'ref', param: 'ref', says: 'is of the branch or tag' },
  { key: 'source', param: 'source', says: 'was made by', values: pipelineSources },
  { key: 'username', param: 'username', says: 'runs for the account' },
  { key: 'name', param: 'name', says: 'runs for the person of this name' },
  { key: 'commit', param: 'sha', says: 'is of the commit with the full id' },
  { key: 'invalid', param: 'yaml_errors', says: 'has an invalid CI file', values: ['yes', 'no'], isFlag: true },
  { key: 'updated-after', param: 'updated_after', says: 'was changed on the day or later' },
  { key: 'updated-before', param: 'updated_before', says: 'was changed before the day' },
]

/** A pipeline with what a list shows of it. */
export interface ListedPipeline {
  readonly pipeline: PipelineRow
  readonly user: (Pictured & { readonly username: string }) | undefined
  readonly commit: Commit | undefined
}

export const pipelineList = (project: Project, rows: readonly ListedPipeline[]): Html =>
  html`<ul class="list" data-list>${rows.map(row => pipelineItem(project, row))}</ul>`

function pipelineItem(project: Project, { pipeline, user, commit }: ListedPipeline): Html {
  const { id, status, sha, source, yaml_errors, duration, created_at } = pipeline
  return html`
<li><div class="status-cell">${statusChip(status)}</div><div class="main"><div class="title"><a href="${pipelinePath(project, pipeline)}">${pipeline.name ?? (commit?.title || 'No message')}</a> ${yaml_errors !== null && chip('Invalid CI file', 'danger', 'alert')}</div>
<div class="facts"><span>#${id}</span><span>${refView(project, pipeline)}</span>${commitView(project, sha, commit)}<span>made ${sourceText(source)}</span></div></div>
<div class="facts">${duration !== null && html`<span title="Time that its jobs ran">${icon('stopwatch', 'Time that its jobs ran')} ${durationText(duration)}</span>`}<span>${time(created_at)}</span>${user && html`<a href="/${user.username}" title="${user.name}" aria-label="${user.name}">${avatar(user, 20)}</a>`}</div></li>`
}
