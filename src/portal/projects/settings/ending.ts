/** What changes the address of a project, and what ends it. */
import { unlinkFork } from '../../../code/forks/endpoints.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import {
  archiveProject,
  deleteProject,
  restoreProject,
  transferProject,
  unarchiveProject,
  updateProject,
} from '../../../spaces/projects/endpoints.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import type { Section } from '../../settings_pages/declaration.ts'
import { typedPath } from '../../settings_pages/ending.ts'
import { leaving } from '../../settings_pages/leaving.ts'
import { creatableNamespaces } from '../namespaces.ts'
import type { OfProject } from './declared.ts'

const general = ({ project }: OfProject, rest = ''): string => projectPath(project, `/-/settings/general${rest}`)
const settled = (project: ProjectRow, key: string): string => projectPath(project, `/-/edit#${key}`)

const ownersOnly = 'Only owners can do this.'

const isFork = async ({ db, project }: Context & OfProject): Promise<boolean> =>
  (await db.selectFrom('project_forks').select('project_id').where('project_id', '=', project.id).executeTakeFirst()) !== undefined

/** Namespaces that it can go to, by their paths. */
const targets = async (ctx: Context & OfProject) => {
  const all = await creatableNamespaces(ctx)
  return all
    .map(([id, label]) => [id || (ctx.actor.user?.username as string), label] as const)
    .filter(([id]) => id !== String(ctx.project.namespace_id) && id !== ctx.project.namespace_full_path)
}

export const ending: readonly Section<OfProject>[] = [
  {
    key: 'path',
    title: 'Change the path',
    alsoCalled: 'rename url',
    look: 'danger',
    says: 'Addresses with the former path lead to the new one until another project takes it. Clones need no change.',
    of: updateProject,
    values: ({ project }) => ({ path: project.path }),
    fields: [{ name: 'path', label: 'Path', required: true, hint: 'The last part of the address.' }],
    button: 'Change the path',
    notice: 'The path was changed.',
    next: (_ctx, project: ProjectRow) => settled(project, 'path'),
  },
  {
    key: 'transfer',
    title: 'Move to another namespace',
    look: 'danger',
    says: 'Its address changes, the former one leads to it. In a less visible group it becomes less visible.',
    of: transferProject,
    fields: [
      { name: 'namespace', label: 'Where to', control: 'select', choices: targets, hint: 'Groups in which you may create projects.' },
    ],
    confirms: true,
    button: 'Move the project',
    notice: 'The project was moved.',
    next: (_ctx, project: ProjectRow) => settled(project, 'transfer'),
    otherwise: ownersOnly,
  },
  {
    key: 'fork',
    title: 'Fork relation',
    look: 'danger',
    says: 'Without it, no merge request leads from here to the project that it was forked from.',
    can: 'remove_fork_relation',
    isShown: isFork,
    view: ctx =>
      actionButton(ctx, {
        to: general(ctx, '/fork/delete'),
        face: 'Remove the fork relation',
        look: 'danger',
        asks: 'Remove the fork relation? Open merge requests to the source are closed.',
      }),
    otherwise: ownersOnly,
  },
  {
    key: 'archive',
    title: 'Archive',
    look: 'danger',
    says: 'An archived project can be read and not changed. It is left out of most lists.',
    can: 'archive_project',
    isShown: ({ project }) => project.marked_for_deletion_on === null,
    view: ctx =>
      ctx.project.archived
        ? actionButton(ctx, { to: general(ctx, '/unarchive'), face: 'Unarchive the project' })
        : actionButton(ctx, {
            to: general(ctx, '/archive'),
            face: 'Archive the project',
            look: 'danger',
            asks: `Archive ${ctx.project.full_name}?`,
          }),
    otherwise: ownersOnly,
  },
  leaving<OfProject>('leave_project', 'project'),
  {
    key: 'restore',
    title: 'Marked for deletion',
    look: 'danger',
    says: 'The project is archived, and will be deleted with everything in it.',
    can: 'remove_project',
    tier: 'premium',
    isShown: ({ project }) => project.marked_for_deletion_on !== null,
    view: ctx => actionButton(ctx, { to: general(ctx, '/restore'), face: 'Restore the project' }),
  },
  {
    key: 'delete',
    title: 'Delete the project',
    look: 'danger',
    says: 'With its repository, issues, merge requests, pipelines and files. Where the instance keeps deleted projects for some days it can be restored until then; else it is gone.',
    of: deleteProject,
    isShown: ({ project }) => project.marked_for_deletion_on === null,
    ...typedPath<OfProject>(({ project }) => project.full_path),
    confirms: true,
    button: 'Delete the project',
    notice: 'The project was deleted.',
    next: () => '/',
    otherwise: ownersOnly,
  },
]

export const archive = action<OfProject>({
  scope: inProjectPage,
  route: 'POST /:project_path/-/settings/general/archive',
  of: archiveProject,
  next: ({ project }) => settled(project, 'archive'),
  notice: 'The project is archived.',
})

export const unarchive = action<OfProject>({
  scope: inProjectPage,
  route: 'POST /:project_path/-/settings/general/unarchive',
  of: unarchiveProject,
  next: ({ project }) => settled(project, 'archive'),
  notice: 'The project can be changed again.',
})

export const restore = action<OfProject>({
  scope: inProjectPage,
  route: 'POST /:project_path/-/settings/general/restore',
  of: restoreProject,
  next: ({ project }) => settled(project, 'delete'),
  notice: 'The project was restored.',
})

export const removeForkRelation = action<OfProject>({
  scope: inProjectPage,
  route: 'POST /:project_path/-/settings/general/fork/delete',
  of: unlinkFork,
  next: ({ project }) => settled(project, 'archive'),
  notice: 'The project is no fork any more.',
})
