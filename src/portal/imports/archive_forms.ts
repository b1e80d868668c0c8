/** The forms that import projects and groups from archives, and a repository from GitHub. */
import { pathFromName } from '../../identity/paths/names.ts'
import { type GithubOptions, repositoryIdNamed } from '../../integrations/github_imports/commands.ts'
import { importGithub } from '../../integrations/github_imports/endpoints.ts'
import { importGroup } from '../../integrations/group_archives/endpoints.ts'
import { importProject, importRemoteProject } from '../../integrations/project_archives/endpoints.ts'
import { assertImportSource } from '../../platform/application_settings/import_sources.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid, Refusal } from '../../platform/kernel/errors.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { parentField } from '../groups/parents.ts'
import { creatableNamespaces } from '../projects/namespaces.ts'
import { visibilities } from '../projects/visibilities.ts'
import { groupWaysView, projectWaysView } from './ways.ts'

/** Namespaces by what the imports of projects call them: their full paths, and nothing for one's own. */
export const namespacePaths = async (ctx: Pick<Context, 'db' | 'actor'>): Promise<readonly (readonly [string, string])[]> =>
  (await creatableNamespaces(ctx)).map(([id, label]) => [id === '' ? '' : label, label] as const)

const where = {
  name: 'namespace',
  label: 'Where',
  control: 'select',
  hint: 'Your own namespace, or a group in which you may create projects.',
} as const

/** How an import that was asked for goes. */
const report = (_ctx: unknown, project: ProjectRow): string => projectPath(project, '/-/import')

/** A form that imports the archive of a project, which `source` asks for. */
const projectForm = (of: Endpoint, path: `/${string}`, summary: string, source: FieldSpec) =>
  form({
    path,
    summary,
    scope: inInstance,
    of,
    fields: async ctx => [
      source,
      { name: 'path', label: 'Path', required: true, hint: 'The last part of the address.' },
      { name: 'name', label: 'Name', hint: 'As people call it; the path when empty.' },
      { ...where, choices: await namespacePaths(ctx) },
      {
        name: 'visibility',
        label: 'Visibility',
        control: 'radio',
        choices: [['', 'As in the archive', 'As far as the place that it comes into allows.'], ...visibilities],
        hint: '',
      },
      { name: 'description', label: 'Description', control: 'textarea', hint: 'That of the archive when empty.' },
      {
        name: 'overwrite',
        label: 'Replace the project that has the path',
        hint: 'It is deleted when the import has succeeded. Only its owners may do this.',
      },
    ],
    values: () => ({ visibility: '' }),
    instead: {
      of: ['override_params'],
      params: {
        visibility: optional(OneOf(['private', 'internal', 'public'], { description: 'Visibility in the place of that in the archive' })),
        description: optional(text('Description in the place of that in the archive', { maxLength: 2_000 })),
      },
      adapt: async (_ctx, { visibility, description, ...others }) => ({
        ...others,
        override_params: { ...(visibility !== undefined && { visibility }), ...(description !== undefined && { description }) },
      }),
    },
    next: report,
    notice: 'The import has begun.',
    button: 'Import project',
    before: async ctx =>
      html`${await projectWaysView(ctx, path)}<p>The archive is one that <b>Settings → Export</b> of a project has made, here or on another server of this API. <a href="/help/migration#move-a-whole-project-as-an-archive">What is in it</a></p>`,
    cancel: () => '/dashboard/projects',
    frame: () => ({ title: 'Import project' }),
  })

const sent = projectForm(importProject, '/import/gitlab_project/new', 'Import a project from an archive', {
  name: 'file',
  label: 'Archive',
  required: true,
  hint: 'A file whose name ends in `.tar.gz`.',
})

const fetched = projectForm(importRemoteProject, '/import/gitlab_project/remote', 'Import a project from an archive at an address', {
  name: 'url',
  label: 'Address of the archive',
  control: 'text',
  required: true,
  autofocus: true,
  placeholder: 'https://files.example.com/lamp.tar.gz',
  hint: 'Over http or https, such as a signed address of an object store.',
})

export const showProjectArchiveForm = sent.show
export const submitProjectArchive = sent.submit
export const showRemoteArchiveForm = fetched.show
export const submitRemoteArchive = fetched.submit

const github = form({
  path: '/import/github/new',
  summary: 'Import a repository from GitHub',
  scope: inInstance,
  of: importGithub,
  fields: async ctx => [
    {
      name: 'personal_access_token',
      label: 'Token of GitHub',
      control: 'password',
      autocomplete: 'off',
      required: true,
      autofocus: true,
      hint: 'It must be allowed to read the repository. It is kept encrypted until the import has ended.',
    },
    { name: 'repository', label: 'Repository', required: true, placeholder: 'owner/name', hint: 'As its address ends.' },
    { name: 'target_namespace', label: 'Where', control: 'select', hint: where.hint, choices: await ownNamed(ctx) },
    { name: 'new_name', label: 'Name', hint: 'Name and path of the new project; those of the repository when empty.' },
    {
      name: 'github_hostname',
      label: 'Address of a GitHub Enterprise server',
      control: 'text',
      placeholder: 'https://github.example.com',
      hint: 'github.com when empty.',
    },
  ],
  instead: {
    of: ['repo_id'],
    params: { repository: text('Owner and name of the repository', { minLength: 1, maxLength: 255, examples: ['octo/lamp'] }) },
    adapt: async (ctx, { repository, ...others }) => ({
      ...others,
      repo_id: await repositoryId(ctx, String(repository), others as GithubAccess),
    }),
  },
  next: report,
  notice: 'The import has begun.',
  button: 'Import project',
  before: async ctx =>
    html`${await projectWaysView(ctx, '/import/github/new')}<p>The repository comes with its issues, pull requests, comments, labels, milestones and releases. <a href="/help/migration#import-a-repository-from-github">What comes, and as whose</a></p>`,
  cancel: () => '/dashboard/projects',
  frame: () => ({ title: 'Import project' }),
})

type GithubAccess = Pick<GithubOptions, 'personal_access_token' | 'github_hostname'>

/** The ID of a repository, which GitHub is asked for. @throws Refusal at the fields of the form */
async function repositoryId(ctx: Context, full_name: string, access: GithubAccess): Promise<number> {
  if (!/^[\w.-]+\/[\w.-]+$/.test(full_name)) throw invalid({ repository: ['must be like owner/name'] })
  // GitHub is asked in the name of this server, as often as imports may be asked for.
  await ctx.deps.limiter.often('project_import', ctx.actor, ctx.request.ip)
  await assertImportSource(ctx.db, 'github')
  return repositoryIdNamed(ctx, { ...access, full_name }).catch(error => {
    if (error instanceof Refusal && error.kind === 'unauthenticated')
      throw invalid({ personal_access_token: ['is not accepted by the server'] })
    throw error
  })
}

/** The same with one's own by its path, which this import wants to be named. */
const ownNamed = async (ctx: Pick<Context, 'db' | 'actor'>) =>
  (await namespacePaths(ctx)).map(([path, label]) => [path || (ctx.actor.user?.username as string), label] as const)

export const showGithubForm = github.show
export const submitGithub = github.submit

const group = form({
  path: '/import/gitlab_group/new',
  summary: 'Import a group from an archive',
  scope: inInstance,
  of: importGroup,
  fields: async ctx => [
    { name: 'file', label: 'Archive', required: true, hint: 'A file whose name ends in `.tar.gz`.' },
    { name: 'name', label: 'Name', required: true, hint: 'As people call it.' },
    { name: 'path', label: 'Path', hint: 'The last part of the address; made from the name when empty.' },
    await parentField(ctx),
  ],
  values: ({ request }) => ({ parent_id: new URLSearchParams(request.address.split('?')[1]).get('parent_id') ?? undefined }),
  instead: {
    of: ['path'],
    params: { path: optional(text('Last part of the path; made from the name when empty', { maxLength: 255 })) },
    adapt: async (_ctx, params) => ({ ...params, path: params.path || pathFromName(String(params.name)) }),
  },
  next: async ({ db, actor, params: { parent_id, path, name } }) => {
    const parent = parent_id === undefined ? undefined : await visibleGroup(db, actor, String(parent_id))
    const last = path || pathFromName(String(name))
    return groupPath({ full_path: parent ? `${parent.full_path}/${last}` : String(last) }, '/-/import')
  },
  notice: 'The import has begun.',
  button: 'Import group',
  before: async ctx =>
    html`${await groupWaysView(ctx, '/import/gitlab_group/new')}<p>The archive is one that <b>Settings → Export</b> of a group has made, here or on another server of this API. Projects are not in it. <a href="/help/migration#move-a-group-as-an-archive">What is in it</a></p>`,
  cancel: () => '/dashboard/groups',
  frame: () => ({ title: 'Import group' }),
})

export const showGroupArchiveForm = group.show
export const submitGroupArchive = group.submit
