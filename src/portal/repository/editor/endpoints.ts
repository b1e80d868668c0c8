/** Forms that change the files of a branch: each sends a commit with one action, by the API's declaration. */
import { readFile } from 'node:fs/promises'
import { createCommit } from '../../../ci/pipelines/commits/endpoints.ts'
import { bytesOfText } from '../../../code/repository/files/edited_text.ts'
import { entryAt } from '../../../platform/git/index.ts'
import { File, Files, optional, text, type Upload } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { form, type Values } from '../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../addresses.ts'
import { parentOf, pathCrumbs } from '../files/tree_view.ts'
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
} from './commit.ts'
import { inBranchFile, inBranchPath, inBranchText } from './scope.ts'

const content = text('The text of the file', { examples: ['An example\n'] })
const path = (about: string, example: string) => text(about, { minLength: 1, maxLength: 4096, examples: [example] })

const frameOf = (ctx: Editing, title: string) => ({ title, place: projectPlace(ctx.actor, ctx.project, 'files') })

/** An empty repository has no directories yet: its project is above the first file. */
const crumbs = ({ project, target }: Editing): Html =>
  html`<div class="heading">${target.tip === undefined ? html`<a href="${projectPath(project)}">${project.path}</a>` : pathCrumbs(project, target.branch, target.path)}<span class="muted">on ${target.branch}</span></div>`

const base64 = (bytes: Buffer) => ({ content: bytes.toString('base64'), encoding: 'base64' })

/** The parameter that guards an action, if the form had it. */
const guardOf = ({ last_commit_id }: Values) => (sentText(last_commit_id) === undefined ? {} : { last_commit_id })

/** The page of a file after the commit. */
const blobAfter = (ctx: Editing, params: Values, filePath: string): string =>
  afterCommit(ctx, params, revisionPage(ctx.project, 'blob', branchOf(ctx, params), filePath))

const backToFile = ({ project, target }: Editing): string => revisionPage(project, 'blob', target.branch, target.path)

/** The directory. An empty repository has none. */
const backToTree = ({ project, target }: Editing): string =>
  target.tip === undefined ? projectPath(project) : revisionPage(project, 'tree', target.branch, target.path)

const edit = form({
  path: '/:project_path/-/edit/*revision_path',
  summary: 'Edit a file of a branch',
  scope: inBranchText,
  of: createCommit,
  cost: 'walk',
  empty: 'sent',
  fields: async (ctx, sent) => [
    { name: 'file_path', label: 'Path', control: 'text', hint: 'Another path moves the file.', required: true },
    { name: 'content', label: 'Content', control: 'code', hint: '', autofocus: true },
    await guardField(ctx, sent),
    ...commitFields(ctx, `Update ${ctx.target.path}`),
  ],
  values: async ctx => ({
    file_path: ctx.target.path,
    content: ctx.text.shown,
    last_commit_id: await lastCommitIdOf(ctx),
    ...(await proposedCommit(ctx)),
  }),
  instead: {
    of: replaced,
    params: {
      content,
      file_path: optional(text('The path of the file; another one moves it', { maxLength: 4096 })),
      ...guardParams,
      ...commitParams,
    },
    async adapt(ctx, params) {
      const bytes = bytesOfText(params.content as string, ctx.text.bytes)
      const previous_path = ctx.target.path
      const file_path = pathOf(ctx, params)
      const isSame = bytes.equals(ctx.text.bytes)
      if (file_path !== previous_path) {
        const move = { action: 'move', file_path, previous_path, ...(isSame ? {} : base64(bytes)), ...guardOf(params) }
        return commitOf(ctx, params, move, `Move ${previous_path} to ${file_path}`)
      }
      if (isSame) throw invalid({ content: ['is as it was'] })
      return commitOf(ctx, params, { action: 'update', file_path, ...base64(bytes), ...guardOf(params) }, `Update ${file_path}`)
    },
  },
  next: (ctx, _made) => blobAfter(ctx, ctx.params, pathOf(ctx, ctx.params)),
  notice: 'The change was committed.',
  button: 'Commit',
  cancel: backToFile,
  frame: ctx => ({ ...frameOf(ctx, `Edit ${ctx.target.path}`), width: 'wide', scripts: ['code_editor.js'] }),
  before: async (ctx, sent) => html`${crumbs(ctx)}${await changedNotice(ctx, sent)}`,
})
/** The path that was sent. A field of one line drops line ends: a name that has some stays as it is. */
function pathOf({ target }: Editing, { file_path }: Values): string {
  const given = sentText(file_path) ?? target.path
  return given === target.path.replace(/[\r\n]/g, '') ? target.path : given
}

export const showEdit = edit.show
export const submitEdit = edit.submit

const creation = form({
  path: '/:project_path/-/new/*revision_path',
  summary: 'Create a file on a branch',
  scope: inBranchPath,
  of: createCommit,
  empty: 'sent',
  fields: ctx => [
    { name: 'file_path', label: 'Path', control: 'text', hint: 'Directories that are not there are made.', autofocus: true },
    { name: 'content', label: 'Content', control: 'code', hint: '' },
    ...commitFields(ctx, 'Add the file'),
  ],
  values: async ctx => ({ file_path: ctx.target.path === '' ? '' : `${ctx.target.path}/`, ...(await proposedCommit(ctx)) }),
  instead: {
    of: replaced,
    params: { file_path: path('The path of the file', 'docs/new_page.md'), content, ...commitParams },
    adapt: (ctx, params) => {
      const file_path = params.file_path as string
      const action = { action: 'create', file_path, ...base64(bytesOfText(params.content as string, undefined)) }
      return commitOf(ctx, params, action, `Add ${file_path}`)
    },
  },
  next: (ctx, _made) => blobAfter(ctx, ctx.params, ctx.params.file_path as string),
  notice: 'The file was created.',
  button: 'Commit',
  cancel: backToTree,
  frame: ctx => ({ ...frameOf(ctx, 'New file'), width: 'wide', scripts: ['code_editor.js'] }),
  before: crumbs,
})
export const showNewFile = creation.show
export const submitNewFile = creation.submit

/** The contents that were uploaded, as the API takes them. */
const uploaded = async ({ file }: Upload) => base64(await readFile(file))

const upload = form({
  path: '/:project_path/-/upload/*revision_path',
  summary: 'Upload files to a branch',
  scope: inBranchPath,
  of: createCommit,
  fields: ctx => [
    { name: 'file', label: 'Files', autofocus: true, hint: 'From your computer, up to 20; all of them become one commit.' },
    {
      name: 'file_path',
      label: 'Path',
      control: 'text',
      hint: 'Of a single file. Where it stays empty, files keep their names and come into this directory.',
    },
    ...commitFields(ctx, 'Upload the files'),
  ],
  values: async ctx => ({ ...(await proposedCommit(ctx)) }),
  instead: {
    of: replaced,
    params: {
      file: Files({}, { description: 'The contents', examples: ['@notes.txt'] }),
      file_path: optional(text('The path of the file', { maxLength: 4096 })),
      ...commitParams,
    },
    adapt: async (ctx, params) => {
      const paths = uploadPaths(ctx, params)
      if (paths.length === 0) throw invalid({ file: ['must be given'] })
      if (paths.length > 1 && sentText(params.file_path) !== undefined) throw invalid({ file_path: ['is for a single file'] })
      const contents = await Promise.all(filesOf(params).map(uploaded))
      const actions = paths.map((file_path, index) => ({ action: 'create', file_path, ...(contents[index] as (typeof contents)[number]) }))
      return commitOf(ctx, params, actions, paths.length === 1 ? `Upload ${paths[0]}` : `Upload ${paths.length} files`)
    },
  },
  next(ctx, _made) {
    const [only, ...more] = uploadPaths(ctx, ctx.params) as [string, ...string[]]
    return more.length === 0
      ? blobAfter(ctx, ctx.params, only)
      : afterCommit(ctx, ctx.params, revisionPage(ctx.project, 'tree', branchOf(ctx, ctx.params), ctx.target.path))
  },
  notice: 'What you uploaded was committed.',
  button: 'Upload',
  cancel: backToTree,
  frame: ctx => frameOf(ctx, 'Upload files'),
  before: crumbs,
})
export const showUpload = upload.show
export const submitUpload = upload.submit

/** The files that were chosen: a browser sends one without a name where none was. */
const filesOf = ({ file }: Values): Upload[] => (file as Upload[]).filter(({ filename }) => filename !== '')

const uploadPaths = ({ target }: Editing, params: Values): string[] => {
  const { file_path } = params
  const files = filesOf(params)
  const given = files.length === 1 ? sentText(file_path) : undefined
  return files.map(({ filename }) => given ?? [target.path, filename].filter(part => part !== '').join('/'))
}

const replacement = form({
  path: '/:project_path/-/replace/*revision_path',
  summary: 'Replace a file of a branch by another one',
  scope: inBranchFile,
  of: createCommit,
  cost: 'walk',
  fields: async (ctx, sent) => [
    { name: 'file', label: 'File', autofocus: true, hint: 'It takes the place of what is there.' },
    await guardField(ctx, sent),
    ...commitFields(ctx, `Replace ${ctx.target.path}`),
  ],
  values: async ctx => ({ last_commit_id: await lastCommitIdOf(ctx), ...(await proposedCommit(ctx)) }),
  instead: {
    of: replaced,
    params: { file: File({ description: 'The new contents', examples: ['@notes.txt'] }), ...guardParams, ...commitParams },
    adapt: async (ctx, params) => {
      const file_path = ctx.target.path
      return commitOf(
        ctx,
        params,
        { action: 'update', file_path, ...(await uploaded(params.file as Upload)), ...guardOf(params) },
        `Replace ${file_path}`,
      )
    },
  },
  next: (ctx, _made) => blobAfter(ctx, ctx.params, ctx.target.path),
  notice: 'The file was replaced.',
  button: 'Replace',
  cancel: backToFile,
  frame: ctx => frameOf(ctx, `Replace ${ctx.target.path}`),
  before: async (ctx, sent) => html`${crumbs(ctx)}${await changedNotice(ctx, sent)}`,
})
export const showReplace = replacement.show
export const submitReplace = replacement.submit

const rename = form({
  path: '/:project_path/-/rename/*revision_path',
  summary: 'Rename or move a file of a branch',
  scope: inBranchFile,
  of: createCommit,
  cost: 'walk',
  fields: async (ctx, sent) => [
    { name: 'file_path', label: 'New path', control: 'text', hint: 'Directories that are not there are made.', autofocus: true },
    await guardField(ctx, sent),
    ...commitFields(ctx, `Move ${ctx.target.path}`),
  ],
  values: async ctx => ({
    file_path: ctx.target.path,
    last_commit_id: await lastCommitIdOf(ctx),
    ...(await proposedCommit(ctx)),
  }),
  instead: {
    of: replaced,
    params: { file_path: path('The new path', 'docs/renamed.md'), ...guardParams, ...commitParams },
    adapt: async (ctx, params) => {
      const previous_path = ctx.target.path
      const file_path = params.file_path as string
      if (file_path === previous_path) throw invalid({ file_path: ['is as it was'] })
      const message = `Move ${previous_path} to ${file_path}`
      return commitOf(ctx, params, { action: 'move', file_path, previous_path, ...guardOf(params) }, message)
    },
  },
  next: (ctx, _made) => blobAfter(ctx, ctx.params, ctx.params.file_path as string),
  notice: 'The file was moved.',
  button: 'Move',
  cancel: backToFile,
  frame: ctx => frameOf(ctx, `Move ${ctx.target.path}`),
  before: async (ctx, sent) => html`${crumbs(ctx)}${await changedNotice(ctx, sent)}`,
})
export const showRename = rename.show
export const submitRename = rename.submit

const deletion = form({
  path: '/:project_path/-/delete/*revision_path',
  summary: 'Delete a file of a branch',
  scope: inBranchFile,
  of: createCommit,
  cost: 'walk',
  fields: async (ctx, sent) => [await guardField(ctx, sent), ...commitFields(ctx, `Delete ${ctx.target.path}`)],
  values: async ctx => ({ last_commit_id: await lastCommitIdOf(ctx), ...(await proposedCommit(ctx)) }),
  instead: {
    of: replaced,
    params: { ...guardParams, ...commitParams },
    adapt: (ctx, params) => {
      const file_path = ctx.target.path
      return commitOf(ctx, params, { action: 'delete', file_path, ...guardOf(params) }, `Delete ${file_path}`)
    },
  },
  async next(ctx, { commit }: { readonly commit: { readonly id: string } }) {
    // A directory goes with its last file.
    let directory = parentOf(ctx.target.path)
    while (directory !== '' && !(await entryAt(ctx.file.repository, commit.id, directory))) directory = parentOf(directory)
    return afterCommit(ctx, ctx.params, revisionPage(ctx.project, 'tree', branchOf(ctx, ctx.params), directory))
  },
  notice: 'The file was deleted.',
  button: 'Delete',
  cancel: backToFile,
  frame: ctx => frameOf(ctx, `Delete ${ctx.target.path}`),
  before: async (ctx, sent) => html`${crumbs(ctx)}${await changedNotice(ctx, sent)}`,
})
export const showDelete = deletion.show
export const submitDelete = deletion.submit
