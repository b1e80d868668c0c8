/** The editor of the CI file: what is typed is examined as it would be read, simulated, and committed by the API's declaration. */
import { limits } from '../../ci/config/index.ts'
import { schemaAddress } from '../../ci/lint/endpoints.ts'
import { createCommit } from '../../ci/pipelines/commits/endpoints.ts'
import { newestOfTip } from '../../ci/pipelines/lists/latest.ts'
import { bytesOfText } from '../../code/repository/files/edited_text.ts'
import { allows } from '../../platform/access/abilities.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { PART_HEADER } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { type FieldState, field } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { type Page, page, part, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { pipelinesTopicOf } from '../pipelines/live.ts'
import { pipelineChip } from '../pipelines/status_view.ts'
import { revisionPage } from '../repository/addresses.ts'
import {
  afterCommit,
  branchOf,
  changedNotice,
  commitFields,
  commitOf,
  commitParams,
  type Editing,
  guardField,
  guardParams,
  lastCommitIdOf,
  proposedCommit,
  replaced,
  sentText,
} from '../repository/editor/commit.ts'
import { refNames } from '../run_pipeline/ref_names.ts'
import { beginView, templateText } from './begin_view.ts'
import { checkBeforeCommit, type Look, type LookParams, lookAt, lookParams, mayCheck, type Tab, tabs } from './look.ts'
import { type CiFile, checkPath, editorPath, inCiEditor } from './scope.ts'

type InEditor = Editing & { readonly elsewhere: boolean; readonly ciFile: CiFile | undefined; readonly look?: Look }

const content = text('The text of the CI file', { maxLength: limits.fileBytes, examples: ['test: { script: make }\n'] })

/** Bytes of a form that is examined: three for each of the text, as forms encode them, and what stands beside it. */
const MOST_SENT = 3 * limits.fileBytes + 64 * 1024

/** What is typed into the form of the editor. */
const typed = {
  content,
  ...guardParams,
  ...commitParams,
  commit_anyway: optional(flag('Whether a file is committed that is invalid', { default: false })),
}

/** The message of a commit that says none. */
const messageOf = ({ ciFile, target }: InEditor): string => `${ciFile ? 'Update' : 'Add'} ${target.path}`

/** With the file that a guard is about. */
const guarded = (ctx: InEditor) => (ctx.ciFile ? { ...ctx, file: ctx.ciFile.file } : undefined)

const commit = form<InEditor>({
  path: '/:project_path/-/ci/editor',
  summary: 'Commit the CI file of a branch',
  scope: inCiEditor as never,
  of: createCommit,
  empty: 'sent',
  action: ({ project, target }) => editorPath(project, target.branch),
  fields: async (ctx, sent) => {
    const withFile = guarded(ctx)
    const checked = typeof sent?.content === 'string' ? await checkBeforeCommit(ctx, sent.content) : undefined
    const looked = checked ? { ...ctx, look: { tab: 'edit' as const, panel: checked.panel } } : ctx
    return [
      { name: 'content', own: state => editorView(looked, state) },
      { name: 'commit_anyway', own: () => (checked?.isInvalid ? anywayView : html``) },
      ...(withFile ? [await guardField(withFile, sent)] : []),
      ...commitFields(ctx, messageOf(ctx)).map((spec, at) => (at === 0 ? { ...spec, under: 'Commit' } : spec)),
    ]
  },
  instead: {
    of: replaced,
    params: typed,
    async adapt(ctx, params) {
      if (ctx.elsewhere) throw invalid({ base: ['The CI file of this project lies elsewhere'] })
      const before = ctx.ciFile?.text.bytes
      const bytes = bytesOfText(params.content as string, before)
      if (before?.equals(bytes)) throw invalid({ content: ['is as it was'] })
      if (bytes.length === 0) throw invalid({ content: ["can't be blank"] })
      if (params.commit_anyway !== true && (await checkBeforeCommit(ctx, params.content as string))?.isInvalid)
        throw invalid({ base: ['The file is invalid: nothing was committed. What is wrong stands below it.'] })
      const known = sentText(params.last_commit_id)
      const action = {
        action: before ? 'update' : 'create',
        file_path: ctx.target.path,
        content: bytes.toString('base64'),
        encoding: 'base64',
        ...(known === undefined ? {} : { last_commit_id: known }),
      }
      return commitOf(ctx, params, action, messageOf(ctx))
    },
  },
  next: (ctx, _made) => afterCommit(ctx, ctx.params, editorPath(ctx.project, branchOf(ctx, ctx.params))),
  notice: 'The CI file was committed.',
  button: 'Commit',
  second: ctx => (mayCheck(ctx) ? { label: 'Validate', to: checkPath(ctx.project, ctx.target.branch) } : undefined),
  cancel: 'stays',
  frame: frameOf,
  before: async (ctx, sent) => {
    const withFile = guarded(ctx)
    return html`${await headView(ctx)}${withFile && (await changedNotice(withFile, sent))}`
  },
})
export const submitCommit = commit.submit

export const showEditor = pageEndpoint({
  route: 'GET /:project_path/-/ci/editor',
  summary: 'Show the editor of the CI file of a branch',
  scope: inCiEditor,
  can: 'push_to_branch',
  params: { ...lookParams, template: optional(text('A template to begin with, where there is no CI file', { maxLength: 255 })) },
  async run(ctx) {
    const { project, target, ciFile, elsewhere, params } = ctx
    if (elsewhere) return page(ctx, { ...frameOf(ctx), body: html`${await headView(ctx)}${elsewhereView(ctx)}` })
    const template = ciFile || params.template === undefined ? undefined : await templateText(params.template)
    const shown = ciFile?.text.shown ?? template
    if (shown === undefined)
      return page(ctx, { ...frameOf(ctx), body: html`${await headView(ctx)}${await beginView(project, target.branch, target.path)}` })
    const withFile = guarded(ctx)
    const values = {
      content: shown,
      ...(await proposedCommit(ctx)),
      ...(withFile && { last_commit_id: await lastCommitIdOf(withFile) }),
    }
    return editorPage(ctx, shown, params, values)
  },
})

export const lookAtText = formEndpoint({
  route: 'POST /:project_path/-/ci/lint',
  summary: 'Examine a text in place of the CI file of a branch',
  scope: inCiEditor,
  can: 'lint_ci',
  shows: 'POST /projects/:id/ci/lint',
  covers: ['dry_run', 'include_jobs'],
  // Nothing is written, and other servers may be asked: no transaction waits for them.
  writes: 'own',
  // As in the API: a file may have thousands of jobs.
  cost: 'heavy',
  bodyLimit: MOST_SENT,
  params: { ...typed, ...lookParams },
  sent: wire => Object.fromEntries(Object.entries(wire).filter(([name, value]) => name === 'content' || value !== '')),
  async run(ctx) {
    const { content: sent, tab, ref, source, merge_request_iid, ...values } = ctx.params
    const shown = sent.replace(/\r\n?/g, '\n')
    if (ctx.request.headers[PART_HEADER] === undefined) return editorPage(ctx, shown, ctx.params, { ...values, content: shown })
    return part((await lookAt(ctx, shown, { tab, ref, source, merge_request_iid })).panel ?? html``)
  },
})

export const leadToEditor = pageEndpoint({
  route: 'GET /:project_path/-/ci/lint',
  summary: 'Lead to the editor of the CI file, which checks it',
  scope: inProjectPage,
  can: 'lint_ci',
  params: { branch_name: optional(text('A branch; the default branch unless given', { maxLength: 255 })) },
  run: ({ project, params }) => redirect(editorPath(project, params.branch_name)),
})

/** The editor with a text, as one of its tabs shows it. The text of a file that was not changed is checked by the script, or on request. */
async function editorPage(ctx: InEditor, shown: string, params: LookParams, values: Values) {
  const { tab, ref, source, merge_request_iid } = params
  const isAsked = mayCheck(ctx) && (tab !== 'edit' || ctx.request.method === 'POST')
  const look = isAsked ? await lookAt(ctx, shown, { tab, ref, source, merge_request_iid }) : undefined
  const body = await commit.embed({ ...ctx, ...(look && { look }) }, editorPath(ctx.project, ctx.target.branch), values)
  return page(ctx, { ...frameOf(ctx), body })
}

function frameOf({ actor, project }: InEditor): Omit<Page, 'body' | 'status'> {
  return {
    title: 'CI editor',
    place: projectPlace(actor, project, 'ci_editor'),
    width: 'wide',
    heading: 'own',
    scripts: ['ci_editor.js', 'pipelines.js'],
    live: [pipelinesTopicOf(project)],
  }
}

/** Asks who commits an invalid file whether they mean it. */
const anywayView = html`<div class="notice attention">${icon('alert')}<span>With this file pushes make no pipelines. Mend it, or commit it as it is. <button class="btn btn-sm btn-danger" name="commit_anyway" value="true">Commit anyway</button></span></div>`

const labels: { readonly [T in Tab]: string } = { edit: 'Edit', visualize: 'Visualize', merged: 'Full configuration', simulate: 'Simulate' }

/** The text with its tabs. They are buttons of the form, so that each shows what is typed. */
function editorView(ctx: InEditor, state: FieldState): Html {
  const { project, target, look } = ctx
  const to = checkPath(project, target.branch)
  const now = look?.tab ?? 'edit'
  const isEdited = now === 'edit'
  const tab = (key: Tab, face: string) =>
    html`<button name="tab" value="${key}" formaction="${to}" formnovalidate data-turbo="false" data-look${key === now && html` aria-current="true"`}>${face}</button>`
  return html`<ci-editor data-schema="${schemaAddress()}"${mayCheck(ctx) && html` data-check="${to}"`}>
<button class="sr-only" tabindex="-1" aria-hidden="true" data-first${now === 'simulate' && html` name="tab" value="simulate" formaction="${to}" formnovalidate data-turbo="false" data-look`}>${now === 'simulate' ? 'Simulate' : 'Commit'}</button>
${mayCheck(ctx) && html`<nav class="subnav" aria-label="Parts of the editor">${tabs.map(key => tab(key, labels[key]))}</nav>`}
<div data-edit${!isEdited && html` hidden`}>${field({ name: 'content', label: target.path, control: 'code', path: 'ci.yml', hint: '' }, content, state)}<div class="ci-checked" data-findings role="status">${isEdited && (look?.panel ?? (mayCheck(ctx) ? html`<p class="muted small">“Validate” says what is wrong with it.</p>` : html`<p class="muted small">Checks are for Developers of a project with CI/CD.</p>`))}</div></div>
<div data-panel aria-live="polite"${isEdited && html` hidden`}>${!isEdited && look?.panel}</div></ci-editor>`
}

/** The heading: the file, the branch, and the newest pipeline of it. */
async function headView(ctx: InEditor): Promise<Html> {
  const { actor, project, target, ciFile } = ctx
  const { branch, tip, path } = target
  const maySee = allows(actor, 'read_pipeline', projectSubject(project)) === 'yes'
  const [pipeline, suggested] = await Promise.all([
    maySee && tip !== undefined ? newestOfTip(ctx, project, branch) : undefined,
    refNames(ctx, project, 'branches'),
  ])
  return html`<div class="heading"><h1>CI editor</h1><div class="row">${livePart('ci-editor-pipeline', pipelinesTopicOf(project), html`${pipeline && pipelineChip({ ...pipeline, project_path: project.full_path })}`)}<form class="row" action="${editorPath(project)}"><label class="sr-only" for="editor-branch">Branch</label><input class="form-control input-sm" id="editor-branch" name="branch_name" value="${branch}" list="editor-branches" autocomplete="off" autocapitalize="none" spellcheck="false"><datalist id="editor-branches">${suggested.map(name => html`<option value="${name}"></option>`)}</datalist><button class="btn btn-sm">${icon('git-branch')} Open</button></form></div></div>
<p class="muted">${ciFile ? html`<a class="mono" href="${revisionPage(project, 'blob', branch, path)}">${path}</a>` : html`<span class="mono">${path}</span>`} on <span class="mono">${branch}</span>. <a href="/help/ci#a-job">All keys</a></p>`
}

/** The CI file is not one of the repository. */
function elsewhereView({ actor, project, target }: InEditor): Html {
  const maySet = allows(actor, 'admin_project', projectSubject(project)) === 'yes'
  return html`<div class="empty panel">${icon('link-external')}<h2>The CI file lies elsewhere</h2><p>Pipelines of this project are made from <code>${target.path}</code>, which is edited where it lies.</p>${maySet && html`<p><a href="${projectPath(project, '/-/settings/ci_cd')}">Change which file it is</a></p>`}</div>`
}
