/** The form of the merge box: how a merge request is merged. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import type { ShownMergeRequest } from '../head_view.ts'

interface MergeForm {
  readonly ctx: Context
  readonly shown: ShownMergeRequest
  readonly project: Pick<ProjectWithRole, 'merge_method' | 'squash_option'>
  readonly page: string
  /** The messages that would be used. */
  readonly messages: { readonly merge: string; readonly squash: string }
  /** Can it be merged now? */
  readonly isReady: boolean
  /** Can the merge wait for a pipeline that is running? */
  readonly mayWait: boolean
}

const box = (name: string, label: string, isOn: boolean): Html =>
  html`<input type="hidden" name="${name}" value="false"><label class="choice"><input type="checkbox" name="${name}" value="true"${isOn && html` checked`}> ${label}</label>`

const message = (name: string, label: string, value: string): Html =>
  html`<div class="field"><label for="${name}">${label}</label><textarea class="form-control mono" id="${name}" name="${name}" rows="${Math.min(10, value.split('\n').length + 1)}">\n${value}</textarea></div>`

export function mergeForm({ ctx, shown, project, page, messages, isReady, mayWait }: MergeForm): Html {
  const { squash_option, merge_method } = project
  const mayChoose = squash_option === 'default_on' || squash_option === 'default_off'
  const makesMergeCommit = merge_method !== 'ff'
  const hasMessages = makesMergeCommit || squash_option !== 'never'
  return html`<form method="post" action="${page}/merge">${csrfField(ctx)}${shown.sha !== null && html`<input type="hidden" name="sha" value="${shown.sha}">`}
<div class="row">${box('should_remove_source_branch', 'Delete the source branch', shown.force_remove_source_branch === true)}${mayChoose && box('squash', 'Squash the commits', shown.squash)}${squash_option === 'always' && html`<span class="muted small">The commits are squashed into one, as the project has it.</span>`}</div>
${hasMessages && html`<details><summary class="small">Change the ${makesMergeCommit && squash_option !== 'never' ? 'messages' : 'message'}</summary>${makesMergeCommit && message('merge_commit_message', 'Message of the merge commit', messages.merge)}${squash_option !== 'never' && message('squash_commit_message', mayChoose ? 'Message of the squash commit, where commits are squashed' : 'Message of the squash commit', messages.squash)}</details>`}
<div class="row">${mayWait && html`<button class="btn btn-primary" name="merge_when_pipeline_succeeds" value="true">${icon('clock')} Merge when the pipeline succeeds</button>`}${isReady && html`<button class="btn${!mayWait && html` btn-primary`}">${icon('git-merge')} ${mayWait ? 'Merge without waiting' : 'Merge'}</button>`}</div></form>`
}
