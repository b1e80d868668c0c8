/** Forms and buttons of snippets. */
import { initialVisibility } from '../../collaboration/snippets/commands.ts'
import { contentsOf } from '../../collaboration/snippets/contents.ts'
import {
  createPersonalSnippet,
  createProjectSnippet,
  deletePersonalSnippet,
  deleteProjectSnippet,
  updatePersonalSnippet,
  updateProjectSnippet,
} from '../../collaboration/snippets/endpoints.ts'
import { pathOf } from '../../collaboration/snippets/entity.ts'
import type { SnippetRow } from '../../collaboration/snippets/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { action } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { actionsOf, fileRowsOf, filesField, filesParams, rowsOfFiles } from './files_field.ts'
import { inOwnSnippetPage, inProjectSnippetPage, inSnippetsPage, SNIPPET } from './scope.ts'

interface InProject {
  readonly project: ProjectWithRole
}
interface InSnippet {
  readonly snippet: SnippetRow
}

const fields = (base: string | undefined): readonly FieldSpec[] => [
  { name: 'title', label: 'Title', autofocus: true, hint: '' },
  base === undefined
    ? { name: 'description', label: 'Description', control: 'textarea', hint: 'Markdown.' }
    : { name: 'description', label: 'Description', control: 'markdown', base, hint: '' },
  filesField,
  {
    name: 'visibility',
    label: 'Who may see it',
    control: 'radio',
    hint: '',
    choices: [
      ['private', base === undefined ? 'Only you' : 'Members of the project'],
      ['internal', 'All people with an account, without external ones'],
      ['public', base === undefined ? 'Everyone' : 'All who see the project'],
    ],
  },
]

const replaced = ['files', 'content', 'file_name']

/** The files of a new snippet. @throws Refusal 400 at the field */
async function newFiles(_ctx: Context, { files, ...params }: Readonly<Record<string, unknown>>) {
  const rows = fileRowsOf(files).filter(({ content }) => (content ?? '') !== '')
  if (rows.length === 0) throw invalid({ files: ['A snippet has at least one file with a text'] })
  const named = rows.map(({ file_path, content }, at) => ({ file_path: file_path || `snippetfile${at + 1}.txt`, content: content ?? '' }))
  return { ...params, files: named }
}

/** Changes of the files of a snippet. */
async function changedFiles({ deps, snippet }: Context & InSnippet, { files, ...params }: Readonly<Record<string, unknown>>) {
  const actions = actionsOf(fileRowsOf(files), rowsOfFiles(await contentsOf(deps, snippet)))
  return actions.length === 0 ? params : { ...params, files: actions }
}

const valuesOf = async ({ deps, snippet }: Context & InSnippet) => ({
  title: snippet.title,
  description: snippet.description ?? '',
  visibility: snippet.visibility,
  files: rowsOfFiles(await contentsOf(deps, snippet)).map(({ remove: _kept, ...row }) => row),
})

const created = { button: 'Create snippet', notice: 'The snippet was created.' }
const saved = { button: 'Save', notice: 'The snippet was changed.', empty: 'sent' as const }

const personal = form<object>({
  ...created,
  path: '/-/snippets/new',
  summary: 'Create a snippet of one’s own',
  scope: inSelf,
  of: createPersonalSnippet,
  instead: { of: replaced, params: filesParams, adapt: newFiles },
  fields: () => fields(undefined),
  values: async ctx => ({ visibility: await initialVisibility(ctx) }),
  next: (_ctx, snippet: SnippetRow) => pathOf(snippet),
  cancel: () => '/-/snippets',
  frame: () => ({ title: 'New snippet' }),
})

const personalEdit = form<InSnippet>({
  ...saved,
  path: '/-/snippets/:snippet_id/edit',
  summary: 'Change a snippet of one’s own',
  scope: inOwnSnippetPage,
  of: updatePersonalSnippet,
  instead: { of: replaced, params: filesParams, adapt: changedFiles },
  fields: () => fields(undefined),
  values: valuesOf,
  next: ({ snippet }) => pathOf(snippet),
  cancel: ({ snippet }) => pathOf(snippet),
  frame: () => ({ title: 'Edit snippet' }),
})

const frameIn = (title: string) => (ctx: Context & InProject) => ({
  title,
  place: projectPlace(ctx.actor, ctx.project, 'snippets'),
  scripts: ['markdown_editor.js'],
})

const inPlace = form<InProject>({
  ...created,
  path: '/:project_path/-/snippets/new',
  summary: 'Create a snippet of a project',
  scope: inSnippetsPage,
  of: createProjectSnippet,
  instead: { of: replaced, params: filesParams, adapt: newFiles },
  fields: ({ project }) => fields(projectPath(project, '/-')),
  values: async ctx => ({ visibility: await initialVisibility(ctx) }),
  next: (_ctx, snippet: SnippetRow) => pathOf(snippet),
  cancel: ({ project }) => projectPath(project, '/-/snippets'),
  frame: frameIn('New snippet'),
})

const inPlaceEdit = form<InProject & InSnippet>({
  ...saved,
  path: `${SNIPPET}/edit`,
  summary: 'Change a snippet of a project',
  scope: inProjectSnippetPage,
  of: updateProjectSnippet,
  instead: { of: replaced, params: filesParams, adapt: changedFiles },
  fields: ({ project }) => fields(projectPath(project, '/-')),
  values: valuesOf,
  next: ({ snippet }) => pathOf(snippet),
  cancel: ({ snippet }) => pathOf(snippet),
  frame: frameIn('Edit snippet'),
})

const deleted = 'The snippet was deleted.'

export const snippetChanges = {
  showNew: personal.show,
  create: personal.submit,
  showEdit: personalEdit.show,
  update: personalEdit.submit,
  remove: action<InSnippet>({
    route: 'POST /-/snippets/:snippet_id/delete',
    of: deletePersonalSnippet,
    scope: inOwnSnippetPage,
    next: () => '/-/snippets',
    notice: deleted,
  }),
  showNewInProject: inPlace.show,
  createInProject: inPlace.submit,
  showEditInProject: inPlaceEdit.show,
  updateInProject: inPlaceEdit.submit,
  removeFromProject: action<InProject & InSnippet>({
    route: `POST ${SNIPPET}/delete`,
    of: deleteProjectSnippet,
    scope: inProjectSnippetPage,
    next: ({ project }) => projectPath(project, '/-/snippets'),
    notice: deleted,
  }),
}
