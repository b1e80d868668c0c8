/** The page that resolves the conflicts of a merge request, and what its form is sent to. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { Hash, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { messagesOf, type Values } from '../../../platform/pages/forms/form.ts'
import { done } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import {
  type Conflicts,
  conflictsOf,
  resolutionMessage,
  resolvableBy,
  resolveConflicts,
} from '../../../review/merge_requests/merging/conflicts/resolve.ts'
import { mergeRequestTopicOf } from '../live.ts'
import { type Caller, pageOf, shownOf } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'
import { byHand, conflictFiles, type Decided } from './conflicts_view.ts'

const nothingDecided: Decided = { choices: {}, files: {}, texts: {} }

/** What was sent and refused. */
interface Refused {
  readonly decided: Decided
  readonly message: string | undefined
  readonly alert: string
}

export const showConflicts = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/conflicts`,
  summary: 'Show the conflicts of a merge request, to be resolved',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  cost: 'heavy',
  run: ctx => conflictsPage(ctx),
})

async function conflictsPage(ctx: Caller, refused?: Refused): Promise<ByteAnswer> {
  const { mergeRequest } = ctx
  const [shown, conflicts, mayResolve] = await Promise.all([
    shownOf(ctx),
    mergeRequest.state === 'opened' ? conflictsOf(ctx, mergeRequest) : undefined,
    resolvableBy(ctx, mergeRequest).then(project => project !== undefined),
  ])
  const topic = mergeRequestTopicOf(mergeRequest)
  const tips = html`<conflict-tips data-source="${conflicts?.ours}" data-target="${conflicts?.theirs}"></conflict-tips>`
  const view = conflicts ? conflictsForm(ctx, conflicts, mayResolve, refused) : noConflicts(ctx)
  const alert = refused && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused.alert}</span></div>`
  return pageOf(ctx, shown, undefined, html`${alert}${livePart('conflict-tips', topic, tips)}${livePart('conflicts', topic, view)}`, {
    scripts: ['code_editor.js', 'conflicts.js'],
    ...(refused && { status: 422 }),
  })
}

const noConflicts = ({ project, mergeRequest }: Caller): Html =>
  empty({
    icon: 'git-merge',
    title: 'No conflicts',
    says:
      mergeRequest.state === 'opened'
        ? 'The branches can be merged as they are, or one of them is being read.'
        : 'The merge request is not open.',
    action: html`<a class="btn btn-primary" href="${mergeRequestPath({ project, mergeRequest })}">To the merge request</a>`,
  })

function conflictsForm(ctx: Caller, { ours, theirs, files }: Conflicts, mayResolve: boolean, refused: Refused | undefined): Html {
  const { mergeRequest } = ctx
  const { source_branch: source, target_branch: target } = mergeRequest
  const elsewhere = files.filter(({ kind }) => kind === 'elsewhere')
  const isPossible = mayResolve && elsewhere.length === 0
  const view = conflictFiles({ files, source, target, decided: refused?.decided ?? nothingDecided, mayResolve: isPossible })
  const page = mergeRequestPath(ctx)
  const lead = html`<p>${files.length === 1 ? 'One file is' : `${files.length} files are`} in conflict: <span class="mono">${source}</span> (ours) and <span class="mono">${target}</span> (theirs) changed the same lines. Choose for each conflict, or edit the file; a commit on <span class="mono">${source}</span> then merges both.</p>`
  const paths = files.map(({ path }) => path)
  if (!isPossible)
    return html`${lead}<div class="notice attention" role="status">${icon('alert')}<span>${
      mayResolve
        ? `${elsewhere.length === 1 ? 'One of them' : `${elsewhere.length} of them`} cannot be resolved here, so all are resolved on your computer.`
        : html`Only those who may push to <span class="mono">${source}</span> can resolve them: ask the author, or a member of the project that the branch is of.`
    }</span></div>${byHand({ source, target })}${view}<p><a class="btn" href="${page}">Back</a></p>`
  return html`${lead}<form method="post" action="${page}/conflicts"${refused && html` data-refused`}><conflict-form>${csrfField(ctx)}<input type="hidden" name="source_sha" value="${ours}"><input type="hidden" name="target_sha" value="${theirs}">
<div class="row apart conflict-bar" data-conflict-bar hidden><span role="status" data-conflict-count></span><span class="row"><button type="button" class="btn btn-sm" data-all="ours">All ours</button><button type="button" class="btn btn-sm" data-all="theirs">All theirs</button></span></div>
${view}
<div class="field"><label for="commit-message">Message of the commit</label><textarea class="form-control mono" id="commit-message" name="commit_message" rows="${Math.min(12, files.length + 4)}" maxlength="100000">\n${refused?.message ?? resolutionMessage(mergeRequest, paths)}</textarea></div>
<div class="row"><button class="btn btn-primary">Commit to ${source}</button><a class="btn" href="${page}">Cancel</a></div></conflict-form></form>${byHand({ source, target })}`
}

const hash = (description: string) => optional(Hash({ maxProperties: 5_000, description }))

export const resolve = formEndpoint({
  route: `POST ${MERGE_REQUEST}/conflicts`,
  summary: 'Resolve the conflicts of a merge request by a commit on its source branch',
  scope: inMergeRequestPage,
  // resolveConflicts answers 403 to callers who may not push to the source branch.
  can: 'read_merge_request',
  writes: 'own',
  cost: 'heavy',
  params: {
    source_sha: text('The tip of the source branch that was seen', { maxLength: 64, examples: ['0'.repeat(40)] }),
    target_sha: text('The tip of the target branch that was seen', { maxLength: 64, examples: ['0'.repeat(40)] }),
    commit_message: text('Message of the commit', { minLength: 1, maxLength: 100_000, examples: ["Merge branch 'main'"] }),
    choices: hash('`ours` or `theirs` for each conflict'),
    files: hash('`ours`, `theirs` or `text` for each file that is not resolved by its conflicts'),
    texts: hash('Texts of files that were edited'),
  },
  errors: ['conflict', 'bad_request'],
  async run(ctx) {
    const { choices = {}, files = {}, texts = {}, commit_message, ...tips } = ctx.params
    const message = commit_message.replace(/\r\n?/g, '\n')
    await resolveConflicts(ctx, ctx.mergeRequest, { ...tips, commit_message: message, choices, files, texts })
    return done(ctx, mergeRequestPath(ctx), 'The conflicts were resolved.')
  },
  refused: (ctx, refusal, sent) => conflictsPage(ctx as Context & Caller, refusedOf(sent, messageOf(refusal))),
})

/** The refusal in words; what is not decided, line by line. */
function messageOf(refusal: Parameters<typeof messagesOf>[0]): string {
  const { message } = (refusal.body ?? {}) as { message?: { conflicts?: readonly string[] } }
  return message?.conflicts?.join('; ') ?? messagesOf(refusal, []).alert ?? 'This did not work.'
}

const texts = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {}

const refusedOf = (sent: Values, alert: string): Refused => ({
  decided: { choices: texts(sent.choices), files: texts(sent.files), texts: texts(sent.texts) },
  message: typeof sent.commit_message === 'string' ? sent.commit_message : undefined,
  alert,
})
